import type { Seat } from "../../lib/wire/types.ts";
import { EMPTY, kindOf, seatOf } from "./board.ts";
import { markOn, type Marks, type PowerChessState, type PowerName, type Rarity } from "./rules.ts";

export type LastingKind = "shield" | "guard" | "awake" | "net" | "energy" | "hole";

/** Something that lasts: on a piece, on a square, or for all pawns of a side. */
export interface Lasting {
  kind: LastingKind;
  square: number | null;
  seat: Seat | null;
  /** How many moves of either side it has left; null if it waits until it is needed. */
  left: number | null;
  /** How many it had when it began. */
  most: number;
}

const MOST: Record<LastingKind, number> = { shield: 6, guard: 4, awake: 8, net: 0, energy: 10, hole: 12 };
const FROM: Record<LastingKind, [PowerName, Rarity]> = {
  shield: ["shield", "common"],
  guard: ["armageddon", "legendary"],
  awake: ["awaken", "legendary"],
  net: ["safety_net", "rare"],
  energy: ["energize", "rare"],
  hole: ["black_hole", "rare"],
};
/** What has just woken is invulnerable for less long than kings are in an Armageddon. */
const AWAKENING = 2;

/** Of a piece: what makes it invulnerable comes first. */
export function lastingOn(state: PowerChessState, square: number): Lasting[] {
  const letter = state.board[square] ?? EMPTY;
  if (letter === EMPTY) return [];
  const seat = seatOf(letter);
  const marks = markOn(state, square);
  const found = marks === undefined ? [] : ofMarks(state, marks, seat);
  const energy = state.energized[seat as 0 | 1];
  if (kindOf(letter) === "p" && energy > 0) {
    found.push({ kind: "energy", square, seat, left: energy - state.ply, most: MOST.energy });
  }
  return found;
}

function ofMarks({ ply }: PowerChessState, { square, shield, guard, awake, net }: Marks, seat: Seat): Lasting[] {
  const found: Lasting[] = [];
  const timed = (kind: LastingKind, end: number | undefined, most: number) => {
    if (end) found.push({ kind, square, seat, left: end - ply, most });
  };
  timed("shield", shield, MOST.shield);
  timed("guard", guard, awake ? AWAKENING : MOST.guard);
  timed("awake", awake, MOST.awake);
  if (net === true) found.push({ kind: "net", square, seat, left: null, most: MOST.net });
  return found;
}

/** The hole on a square, if there is one. */
export function holeOn({ holes, ply }: PowerChessState, square: number): Lasting | null {
  const hole = holes.find((one) => one.square === square);
  return hole === undefined ? null : { kind: "hole", square, seat: null, left: hole.end - ply, most: MOST.hole };
}

/** Everything that lasts just now: what concerns a whole side, then piece by piece, then holes. */
export function allLasting(state: PowerChessState): Lasting[] {
  const sides = state.energized.flatMap((end, seat): Lasting[] =>
    end > 0 ? [{ kind: "energy", square: null, seat, left: end - state.ply, most: MOST.energy }] : [],
  );
  const pieces = state.marks.flatMap(({ square }) => lastingOn(state, square).filter(({ kind }) => kind !== "energy"));
  return [...sides, ...pieces, ...state.holes.flatMap(({ square }) => holeOn(state, square) ?? [])];
}

/** The power out of which it came: what has just woken is invulnerable, too. */
export function sourceOf(state: PowerChessState, { kind, square }: Lasting): [PowerName, Rarity] {
  const awake = square !== null && (markOn(state, square)?.awake ?? 0) > 0;
  return FROM[kind === "guard" && awake ? "awake" : kind];
}
