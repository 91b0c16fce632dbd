/** The server said no, with a sentence for people; or the connection was lost before it could say anything. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    reason: string,
    /** Where in a text that was sent, if that is what it is about; both are counted from 1. */
    readonly place: { line: number; column: number } | null = null,
  ) {
    super(reason);
  }
}
