import { refusals } from "../../texts/refusals.ts";

/** The server said no, with a sentence for people; or the connection was lost before it could say anything. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    reason: string,
    /** Where in a text that was sent, if that is what it is about; both are counted from 1. */
    readonly place: { line: number; column: number } | null = null,
  ) {
    super(said(code, reason));
  }
}

/** The page's own words for it, where it has any. */
function said(code: string, reason: string): string {
  const words = Object.hasOwn(refusals, code) ? refusals[code] : undefined;
  return typeof words === "function" ? words(reason) : (words ?? reason);
}
