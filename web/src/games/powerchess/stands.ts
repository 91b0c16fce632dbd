import type { Share } from "../stands.ts";
import { EMPTY, seatOf, valueOf } from "./board.ts";
import { markOn, type PowerChessState } from "./rules.ts";
import { words } from "./texts.ts";

/** What the pieces of a side are worth, as they really are. */
export function worth(state: PowerChessState, seat: number): number {
  return Array.from(state.board, (letter, square) => markOn(state, square)?.really || letter)
    .filter((letter) => letter !== EMPTY && seatOf(letter) === seat)
    .reduce((sum, letter) => sum + valueOf(letter), 0);
}

export function shares(state: PowerChessState): Share[] {
  return [0, 1].map((seat) => {
    const points = worth(state, seat);
    // Who has lost the king has lost everything.
    const share = state.board.includes(seat === 0 ? "K" : "k") ? points : 0;
    return { seats: [seat], share, words: words.points(points) };
  });
}
