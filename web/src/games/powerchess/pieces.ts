import type { Piece } from "../../lib/board/scene.ts";
import { EMPTY, seatOf } from "./board.ts";
import { knownPieces } from "./known_pieces.ts";
import { lastingOn, holeOn, type LastingKind } from "./lasting.ts";
import { layouts } from "./layout.ts";
import { markOn, type PowerChessState, type Rarity } from "./rules.ts";

/** What is drawn on a square. It goes through the board's pieces as a word, so that what stays stays the same. */
export type Look =
  | { what: "piece"; letter: string; really: string | null; leaving: boolean; lasting: [kind: LastingKind, left: number, most: number][] }
  | { what: "box"; rarity: Rarity; open: boolean }
  | { what: "hole"; left: number; most: number };

const looks = new Map<string, Piece>();
const MOST_LOOKS = 20_000;

/** What stays on the board stays the same object. */
function piece(key: string, side: number, square: number, look: Look): Piece {
  const kind = JSON.stringify(look);
  const name = `${key} ${side} ${square} ${kind}`;
  let found = looks.get(name);
  if (found === undefined) {
    const { x, y } = layouts[side]!.squares[square]!;
    found = { key, kind, seat: look.what === "piece" ? seatOf(look.letter) : null, x, y };
    if (looks.size >= MOST_LOOKS) looks.clear();
    looks.set(name, found);
  }
  return found;
}

export const lookOf = ({ kind }: Piece) => JSON.parse(kind) as Look;

/** A piece of the board as it would look on this square. */
export function chessPiece(state: PowerChessState, side: number, from: number, to = from): Piece | null {
  const letter = state.board[from] ?? EMPTY;
  if (letter === EMPTY) return null;
  const really = markOn(state, from)?.really ?? null;
  return piece(`piece-${knownPieces(state)[from] ?? from}`, side, to, {
    what: "piece",
    letter,
    really: really === "" ? null : really,
    leaving: state.leaving?.includes(from) ?? false,
    lasting: lastingOn(state, from).map(({ kind, left, most }) => [kind, left ?? 0, most]),
  });
}

export function pieces(state: PowerChessState, side: number): Piece[] {
  const holes = state.holes.flatMap(({ square }) => {
    const { left, most } = holeOn(state, square)!;
    return [piece(`hole-${square}`, side, square, { what: "hole", left: left ?? 0, most })];
  });
  const boxes = state.boxes.map(({ square, rarity }) => piece(`box-${square}`, side, square, { what: "box", rarity, open: false }));
  const { opening } = state;
  const opened = opening === undefined ? [] : [piece(`box-${opening.square}`, side, opening.square, { what: "box", rarity: opening.rarity, open: true })];
  const standing = Array.from(state.board, (_, square) => chessPiece(state, side, square)).filter((one) => one !== null);
  return [...holes, ...boxes, ...opened, ...standing];
}
