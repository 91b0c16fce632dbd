import type { Piece } from "../../lib/board/scene.ts";
import { EMPTY, groundOf } from "./ground.ts";
import { layoutOf } from "./layout.ts";
import { sideOf, stonesOf, type TaflState } from "./rules.ts";

/** What stays on the board stays the same object. */
const looks = new Map<string, Piece>();
const MOST_LOOKS = 20_000;
/** How far those who capture lean over, in parts of a space. */
const LEAN = 0.13;

export function stone(
  state: TaflState,
  side: number,
  space: number,
  number: number,
  letter: string,
  falling: boolean,
  towards = space,
): Piece {
  const { ground, at, pitch } = layoutOf(state.rules, side);
  const key = `${ground.size},${side},${space},${number},${letter},${String(falling)},${towards}`;
  let found = looks.get(key);
  if (found === undefined) {
    const [from, to] = [at[space]!, at[towards]!];
    const [x, y] = [from.x + (to.x - from.x) * LEAN, from.y + (to.y - from.y) * LEAN];
    found = { key: String(number), kind: falling ? `${letter}-falling` : letter, seat: sideOf(letter), x, y, size: pitch };
    if (looks.size >= MOST_LOOKS) looks.clear();
    looks.set(key, found);
  }
  return found;
}

/** Whoever stands beside a stone that falls just now, and has taken it, closes in on it. */
function towards({ board, rules, falling }: TaflState, space: number, letter: string): number {
  const taken = falling?.at(-1);
  if (taken === undefined || sideOf(board[taken]!) === sideOf(letter)) return space;
  const { size } = groundOf(rules);
  const sameRank = Math.floor(space / size) === Math.floor(taken / size);
  return Math.abs(space - taken) === (sameRank ? 1 : size) ? taken : space;
}

export function pieces(state: TaflState, side: number): Piece[] {
  const stones = stonesOf(state);
  const falling = new Set(state.falling);
  // A mercenary is not gone, but on the other side.
  const gone = (space: number, letter: string) => falling.has(space) && letter.toLowerCase() !== "m";
  const there = [...state.board].flatMap((letter, space) =>
    letter === EMPTY ? [] : [stone(state, side, space, stones[space]!, letter, gone(space, letter), towards(state, space, letter))],
  );
  // In the same order after every move: what is put elsewhere in the page jumps, and is not seen to slide.
  return there.sort((one, other) => Number(one.key) - Number(other.key));
}
