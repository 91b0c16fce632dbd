import type { Share } from "../stands.ts";
import type { AcquireState } from "./rules.ts";
import { teamTotals } from "./scores.ts";
import { words } from "./texts.ts";

/** Net worth, of partners together: cash and shares lie open, and nothing else goes into it. */
export function shares(state: AcquireState): Share[] {
  return teamTotals(state).map(({ seats, worth }) => ({ seats, share: worth, words: words.worth(worth) }));
}
