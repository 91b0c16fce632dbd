import { EMPTY } from "./board.ts";
import { holeOn, lastingOn, type Lasting } from "./lasting.ts";
import { markOn, type PowerChessState } from "./rules.ts";
import { words } from "./texts.ts";

/** What is read aloud of a square: who stands or what lies there, and for how long. */
export function describe(state: PowerChessState, square: number): string {
  const letter = state.board[square] ?? EMPTY;
  const things = thingsOn(state, square).map(({ kind, left }) => words.lasting(kind, left, really(state, square)));
  if (letter !== EMPTY) return [words.piece(letter), ...things].join(", ");
  const box = state.boxes.find((one) => one.square === square);
  if (box !== undefined) return words.box(box.rarity);
  return things.length > 0 ? things.join(", ") : words.empty;
}

/** What somebody who points at a square should know; null where nothing is special. */
export function explain(state: PowerChessState, square: number): string | null {
  const said = thingsOn(state, square).map(({ kind, left }) => words.explained(kind, left, really(state, square)));
  const box = state.boxes.find((one) => one.square === square);
  if (box !== undefined) said.push(words.explainedBox(box.rarity));
  return said.length === 0 ? null : said.join(" ");
}

function thingsOn(state: PowerChessState, square: number): Lasting[] {
  const hole = holeOn(state, square);
  return hole === null ? lastingOn(state, square) : [hole];
}

function really(state: PowerChessState, square: number): string | null {
  return markOn(state, square)?.really ?? null;
}
