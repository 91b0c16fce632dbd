/** The server said no, with a sentence for people; or the connection was lost before it could say anything. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    reason: string,
  ) {
    super(reason);
  }
}
