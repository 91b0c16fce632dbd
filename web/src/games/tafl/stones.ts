import type { Piece } from "../../lib/board/scene.ts";
import { EMPTY } from "./ground.ts";
import { layoutOf } from "./layout.ts";
import { sideOf, stonesOf, type TaflState } from "./rules.ts";

/** What stays on the board stays the same object. */
const looks = new Map<string, Piece>();
const MOST_LOOKS = 20_000;

export function stone(
  state: TaflState,
  side: number,
  space: number,
  number: number,
  letter: string,
  falling: boolean,
): Piece {
  const { ground, at, pitch } = layoutOf(state.rules, side);
  const key = `${ground.size},${side},${space},${number},${letter},${String(falling)}`;
  let found = looks.get(key);
  if (found === undefined) {
    const { x, y } = at[space]!;
    found = { key: String(number), kind: falling ? `${letter} falling` : letter, seat: sideOf(letter), x, y, size: pitch };
    if (looks.size >= MOST_LOOKS) looks.clear();
    looks.set(key, found);
  }
  return found;
}

export function pieces(state: TaflState, side: number): Piece[] {
  const stones = stonesOf(state);
  const falling = new Set(state.falling);
  // A mercenary is not gone, but on the other side.
  const gone = (space: number, letter: string) => falling.has(space) && letter.toLowerCase() !== "m";
  const there = [...state.board].flatMap((letter, space) =>
    letter === EMPTY ? [] : [stone(state, side, space, stones[space]!, letter, gone(space, letter))],
  );
  // In the same order after every move: what is put elsewhere in the page jumps, and is not seen to slide.
  return there.sort((one, other) => Number(one.key) - Number(other.key));
}
