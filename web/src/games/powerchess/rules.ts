import type { Seat } from "../../lib/wire/types.ts";
import { EMPTY } from "./board.ts";
import { knownAfter, knownPieces } from "./known_pieces.ts";

export const RARITIES = ["common", "rare", "legendary"] as const;
export type Rarity = (typeof RARITIES)[number];

export const POWERS = {
  common: ["adjust", "rewind", "second_effort", "shield", "swap"],
  rare: ["black_hole", "energize", "eye_for_an_eye", "safety_net", "send_away"],
  legendary: ["armageddon", "awaken", "clone", "reanimate"],
} as const;
export type PowerName = (typeof POWERS)[Rarity][number];
/** In the place of a power that was offered to somebody else. */
export const UNSEEN = "unseen";
export type Offer = readonly [PowerName | typeof UNSEEN, PowerName | typeof UNSEEN];

export type Promotion = "queen" | "rook" | "bishop" | "knight";
export type Reason = "king" | "no_move" | "resigned" | "time" | "agreed" | "endless";

export interface Move {
  type: "move";
  start: number;
  end: number;
  promotion?: Promotion;
}
export interface Use {
  type: "use";
  power: PowerName;
  target?: number | null;
}
export type Action = Move | Use;

/** What lies on a piece: the numbers of the moves with which it ends. */
export interface Marks {
  square: number;
  shield?: number;
  guard?: number;
  awake?: number;
  really?: string;
  net?: boolean;
}
export interface Hole {
  square: number;
  end: number;
}
export interface Box {
  square: number;
  rarity: Rarity;
}
export interface Relocation {
  piece: string;
  start: number;
  end: number;
}
type Relocations = readonly [Relocation | null, Relocation | null];
type PerSide<Item> = readonly [Item, Item];

export interface Update {
  square: number;
  shown: string;
}

/** What an action changed besides what is to be seen; what is left out is as it was. */
interface Changes {
  passed?: number | null;
  castling?: string;
  marks?: readonly Marks[];
  holes?: readonly Hole[];
  energized?: PerSide<number>;
  graves?: PerSide<string>;
}
export interface Moved extends Changes {
  type: "moved";
  seat: Seat;
  start: number;
  end: number;
  updates?: readonly Update[];
  captured?: string;
  saved?: number | null;
  took?: Rarity | null;
  due?: boolean;
  box?: Box | null;
  last?: boolean;
}
export interface Offered {
  type: "offered";
  seat: Seat;
  square: number;
  rarity: Rarity;
  powers: Offer;
}
export interface Used extends Changes {
  type: "used";
  seat: Seat;
  rarity: Rarity;
  power: PowerName;
  square: number;
  target?: number | null;
  updates?: readonly Update[];
  captured?: string;
  drawn?: number | null;
  reanimated?: string;
  took?: Rarity | null;
  relocations?: Relocations;
}
export interface Ended {
  type: "ended";
  winner: Seat | null;
  reason: Reason;
}
export type PowerChessEvent = { type: "began"; board: string; boxes?: boolean } | Moved | Offered | Used | Ended;

export interface Choice {
  square: number;
  rarity: Rarity;
  powers: Offer;
}

export interface PowerChessState {
  board: string;
  turn: Seat | null;
  choice: Choice | null;
  ply: number;
  castling: string;
  passed: number | null;
  boxes: readonly Box[];
  holes: readonly Hole[];
  marks: readonly Marks[];
  energized: PerSide<number>;
  graves: PerSide<string>;
  relocations: Relocations;
  waiting_since: number | null;
  ending: Ended | null;
  /** Which piece stands on each square, so that it is seen to move; the page's own, and by its square if nobody knows. */
  known?: readonly (number | null)[];
  /** The page's own, on the way from one position to the next: what is just going, opened, or struck by a power. */
  leaving?: readonly number[];
  opening?: Box;
  struck?: readonly number[];
}

export const FIRST = "RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr";

export function begun(board = FIRST, boxes = true): PowerChessState {
  return {
    board,
    turn: 0,
    choice: null,
    ply: 0,
    castling: "KQkq",
    passed: null,
    boxes: [],
    holes: [],
    marks: [],
    energized: [0, 0],
    graves: ["", ""],
    relocations: [null, null],
    waiting_since: boxes ? 0 : null,
    ending: null,
  };
}

export function evolve(state: PowerChessState | null, event: PowerChessEvent): PowerChessState {
  if (event.type === "began") return begun(event.board, event.boxes ?? true);
  if (state === null) throw new Error("a game begins with its beginning");
  switch (event.type) {
    case "moved":
      return moved(state, event);
    case "used":
      return used(state, event);
    case "offered":
      return { ...state, turn: event.seat, choice: { square: event.square, rarity: event.rarity, powers: event.powers } };
    case "ended":
      return { ...state, turn: null, choice: null, ending: event };
  }
}

function moved(state: PowerChessState, event: Moved): PowerChessState {
  const { seat, start, end } = event;
  const ply = event.last === true ? state.ply : state.ply + 1;
  const boxes = event.took ? without(state.boxes, end) : state.boxes;
  const relocation = { piece: markOn(state, start)?.really ?? state.board[start]!, start, end };
  return {
    ...changed(state, event),
    ...pieces(state, event, { start, end }),
    ply,
    boxes: event.box ? [...boxes, event.box] : boxes,
    relocations: seat === 0 ? [relocation, state.relocations[1]] : [state.relocations[0], relocation],
    waiting_since: event.due === true ? ply : state.waiting_since,
  };
}

function used(state: PowerChessState, event: Used): PowerChessState {
  const carried = carries(event) ? { start: event.square, end: event.target! } : null;
  return {
    ...changed(state, event),
    ...pieces(state, event, carried),
    boxes: carried !== null && event.took ? without(state.boxes, carried.end) : state.boxes,
    relocations: event.relocations ?? state.relocations,
  };
}

/** Adjust and Second Effort carry this piece somewhere else, as a move does. */
export function carries({ power, target }: Used): boolean {
  return (power === "adjust" || power === "second_effort") && typeof target === "number";
}

/** What a move and a power have in common. */
function changed(state: PowerChessState, event: Moved | Used): PowerChessState {
  return {
    board: state.board,
    turn: 1 - event.seat,
    choice: null,
    ply: state.ply,
    castling: event.castling ?? state.castling,
    passed: event.passed ?? null,
    boxes: state.boxes,
    holes: event.holes ?? state.holes,
    marks: event.marks ?? state.marks,
    energized: event.energized ?? state.energized,
    graves: event.graves ?? state.graves,
    relocations: state.relocations,
    waiting_since: state.waiting_since,
    ending: state.ending,
  };
}

function pieces(
  state: PowerChessState,
  event: Moved | Used,
  carried: { start: number; end: number } | null,
): Pick<PowerChessState, "board" | "known"> {
  const letters = Array.from(state.board);
  if (carried !== null) [letters[carried.end], letters[carried.start]] = [letters[carried.start]!, EMPTY];
  // Boxes and holes are no pieces, and a plus is no part of a piece's name.
  for (const { square, shown } of event.updates ?? []) letters[square] = shown.length <= 2 ? shown[0]! : EMPTY;
  const board = letters.join("");
  return { board, known: knownAfter(knownPieces(state), state, event, board) };
}

function without(boxes: readonly Box[], square: number): readonly Box[] {
  return boxes.filter((box) => box.square !== square);
}

export function markOn({ marks }: PowerChessState, square: number): Marks | undefined {
  return marks.find((mark) => mark.square === square);
}
