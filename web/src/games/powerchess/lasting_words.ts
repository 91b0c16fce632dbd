import { squareName } from "./board.ts";
import type { Lasting } from "./lasting.ts";
import { markOn, type PowerChessState } from "./rules.ts";
import { words } from "./texts.ts";

/** What it is on. */
export function onWhat(position: PowerChessState, { kind, square, seat }: Lasting): string {
  const letter = square === null ? (seat === 0 ? "P" : "p") : (position.board[square] ?? "");
  const really = square === null ? null : (markOn(position, square)?.really ?? null);
  return words.onWhat(kind, square === null ? null : squareName(square), letter, really);
}

export const howLong = ({ left }: Lasting): string => (left === null ? words.untilNeeded : words.movesLeft(left));

/** All of it in a line. */
export function lastsOn(position: PowerChessState, one: Lasting): string {
  return words.lastsOn(words.lastingTitles[one.kind], onWhat(position, one), howLong(one));
}
