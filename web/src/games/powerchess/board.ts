import type { Seat } from "../../lib/wire/types.ts";

/** Squares are counted from a1 along the ranks. */
export const SQUARES = 64;
export const EMPTY = ".";
export const FILES = "abcdefgh";
const VALUES: Readonly<Record<string, number>> = { q: 9, r: 5, b: 3, n: 3, p: 1 };

export const fileOf = (square: number) => square & 7;
export const rankOf = (square: number) => square >> 3;
export const squareName = (square: number) => `${FILES[fileOf(square)]!}${rankOf(square) + 1}`;
/** Where a pawn stands that has just skipped this square. */
export const pawnThatPassed = (skipped: number) => (skipped < 32 ? skipped + 8 : skipped - 8);
/** Where a side's pawns become something else. */
export const lastRank = (seat: Seat) => (seat === 0 ? 7 : 0);

/** The letters of pieces: capitals are White's. */
export const seatOf = (letter: string): Seat => (letter >= "a" ? 1 : 0);
export const kindOf = (letter: string) => letter.toLowerCase();
export const valueOf = (letter: string) => VALUES[kindOf(letter)] ?? 0;

/** From where to where the rook goes when a king castles. */
export function rookSquares(start: number, end: number): readonly [corner: number, beside: number] {
  return [end > start ? start + 3 : start - 4, (start + end) / 2];
}

/** Whether a king goes that far only when he castles. */
export function castles(letter: string, start: number, end: number): boolean {
  return kindOf(letter) === "k" && Math.abs(end - start) === 2;
}
