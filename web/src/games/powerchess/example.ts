import { begun, type PowerChessState } from "./rules.ts";

/** A position set up by hand: the last rank first, as one sees it. */
export function arranged(rows: readonly string[], more: Partial<PowerChessState> = {}): PowerChessState {
  return { ...begun(rows.toReversed().join("")), castling: "", ...more };
}

/** The number of a square, by its name. */
export const at = (name: string) => (Number(name[1]) - 1) * 8 + name.charCodeAt(0) - "a".charCodeAt(0);

/** As it may be in the middle of a game: boxes, a hole, a shield, a net. */
export const EXAMPLE = arranged(
  ["r.bqkb.r", "ppp..ppp", "..n..n..", "...pp...", "..B.P...", "..N..N..", "PPPP.PPP", "R.BQK..R"],
  {
    ply: 12,
    boxes: [{ square: at("d4"), rarity: "rare" }, { square: at("g5"), rarity: "common" }],
    holes: [{ square: at("b5"), end: 19 }],
    marks: [{ square: at("c4"), shield: 16 }, { square: at("f6"), net: true }],
  },
);
