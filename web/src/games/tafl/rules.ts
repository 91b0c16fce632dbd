import type { Seat } from "../../lib/wire/types.ts";
import { EMPTY, groundOf } from "./ground.ts";
import { rulesOf } from "./variants.ts";

export type Reason =
  | "no_attackers"
  | "no_defenders"
  | "repetition"
  | "escape"
  | "king_captured"
  | "immobile"
  | "fort"
  | "encircled"
  | "no_moves"
  | "resigned"
  | "time"
  | "agreed"
  | "recorded"
  | "endless";

export interface Ended {
  type: "ended";
  winner: Seat | null;
  reason: Reason;
}

export interface Moved {
  type: "moved";
  seat: Seat;
  start: number;
  end: number;
  record: string;
  captured?: readonly number[];
  again?: boolean;
}

export type TaflEvent = { type: "began"; rules: string; board: string; turn: Seat } | Moved | Ended;

export interface Move {
  type: "move";
  start: number;
  end: number;
}

export interface TaflState {
  rules: string;
  board: string;
  turn: Seat | null;
  /** The space of the piece that goes on, if one does. */
  berserk?: number | null;
  ending?: Ended | null;
  /** Which stone stands on each space, so that it is seen to move; the page's own, and by its space if nobody knows. */
  stones?: readonly number[];
  /** Spaces whose stones are about to be captured, and those of them that are seen to fall by now. */
  taking?: readonly number[];
  falling?: readonly number[];
}

export const isAttacker = (letter: string) => letter >= "a";
export const sideOf = (letter: string): Seat => (isAttacker(letter) ? 0 : 1);

/** What stands on the space of a captured piece: mercenaries change sides, all others are gone. */
function captured(letter: string): string {
  if (letter === "m") return "M";
  return letter === "M" ? "m" : EMPTY;
}

export function stonesOf({ stones, board }: TaflState): readonly number[] {
  return stones ?? Array.from(board, (_, space) => space);
}

export function begun(rules: string, board?: string, turn?: Seat): TaflState {
  const ground = groundOf(rules);
  return { rules, board: board ?? ground.start, turn: turn ?? (ground.attackersFirst ? 0 : 1) };
}

/** The position that some options begin with. */
export function opening(options: Readonly<Record<string, unknown>>): TaflState {
  return begun(rulesOf(options));
}

export function evolve(state: TaflState | null, event: TaflEvent): TaflState {
  if (event.type === "began") return begun(event.rules, event.board, event.turn);
  if (state === null) throw new Error("a game begins with its beginning");
  if (event.type === "ended") return { ...standing(state), turn: null, berserk: null, ending: event };
  const arrived = moved(state, event);
  const letters = Array.from(arrived.board);
  for (const space of event.captured ?? []) letters[space] = captured(letters[space]!);
  return {
    ...arrived,
    board: letters.join(""),
    turn: event.again === true ? event.seat : 1 - event.seat,
    berserk: event.again === true ? event.end : null,
  };
}

/** The piece has arrived, and nobody is captured yet. */
function moved(state: TaflState, { start, end }: Moved): TaflState {
  const letters = Array.from(state.board);
  const stones = [...stonesOf(state)];
  [letters[end], letters[start]] = [letters[start]!, EMPTY];
  // The space that becomes empty takes the number of the other: no stone is there twice.
  [stones[end], stones[start]] = [stones[start]!, stones[end]!];
  return { ...standing(state), board: letters.join(""), stones };
}

function standing({ rules, board, turn, stones, ending = null }: TaflState): TaflState {
  return { rules, board, turn, ending, ...(stones === undefined ? {} : { stones }) };
}

/** A stone arrives, closes in, and those whom it captures fall one after the other. */
export function steps(before: TaflState, events: readonly TaflEvent[], most: number): TaflState[] {
  const [event] = events;
  if (event?.type !== "moved" || (event.captured ?? []).length === 0) return [];
  const arrived = moved(before, event);
  const fallen = event.captured ?? [];
  // For as long as the stone is on its way, those whom it will take are only marked.
  const marked = { ...arrived, taking: fallen };
  const frames: TaflState[] = [marked, { ...marked }];
  for (let count = 1; count <= fallen.length && frames.length < most - 1; count++) {
    frames.push({ ...marked, falling: fallen.slice(0, count) });
  }
  frames.push({ ...marked, falling: fallen });
  return frames;
}
