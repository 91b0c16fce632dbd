import type { Highlight } from "../../lib/board/scene.ts";
import type { Seat } from "../../lib/wire/types.ts";
import type { GameView } from "../game.ts";
import { explain } from "./explain.ts";
import { face } from "./face.ts";
import Field from "./Field.svelte";
import { EMPTY, groundOf, isHostile, spaceName } from "./ground.ts";
import { layoutOf } from "./layout.ts";
import BeforeStart from "./BeforeStart.svelte";
import {
  begun,
  evolve,
  isAttacker,
  opening,
  sideOf,
  steps,
  stonesOf,
  type Move,
  type Moved,
  type TaflEvent,
  type TaflState,
} from "./rules.ts";
import StoneShape from "./StoneShape.svelte";
import { shares } from "./stands.ts";
import { pieces, stone } from "./stones.ts";
import { words } from "./texts.ts";
import { USUAL, VARIANTS } from "./variants.ts";

const isNumber = (value: number | null | undefined) => typeof value === "number";

function highlights(state: TaflState, last: readonly TaflEvent[]): Highlight[] {
  const found: Highlight[] = [];
  const move = last.findLast((event): event is Moved => event.type === "moved");
  if (move !== undefined) found.push({ kind: "last", squares: [move.start, move.end].map(String), seat: null });
  if (state.taking !== undefined) found.push({ kind: "takes", squares: state.taking.map(String), seat: null });
  if (isNumber(state.berserk)) found.push({ kind: "goes-on", squares: [String(state.berserk)], seat: null });
  const deciding = decidedBy(state, move);
  if (deciding.length > 0) found.push({ kind: "win", squares: deciding.map(String), seat: state.ending?.winner ?? null });
  return found;
}

/** Where on the board it is to be seen why the game was won: the way of the king, or those around him. */
function decidedBy({ ending, board, rules }: TaflState, move: Moved | undefined): number[] {
  if (!ending || ending.winner === null) return [];
  const { size } = groundOf(rules);
  const king = board.indexOf("K");
  if (ending.reason === "escape" && move?.end === king) return way(move.start, move.end, size);
  if (ending.reason === "escape" || ending.reason === "fort") return [king];
  if (ending.reason === "king_captured" && move !== undefined) return aroundKing(board, move, size);
  return [];
}

/** Where the captured king stood, and the attackers beside him. */
function aroundKing(board: string, { record, end, captured = [] }: Moved, size: number): number[] {
  const stood = captured.find((space) => record.includes(`xK${spaceName(space, size)}`));
  if (stood === undefined) return [end, ...captured];
  const beside = [stood % size > 0 ? stood - 1 : -1, stood % size < size - 1 ? stood + 1 : -1, stood - size, stood + size];
  return [stood, ...beside.filter((space) => isAttacker(board[space] ?? EMPTY))];
}

/** The spaces from one to another along a rank or file, both among them. */
export function way(from: number, to: number, size: number): number[] {
  const straight = Math.floor(from / size) === Math.floor(to / size) ? 1 : size;
  const step = to > from ? straight : -straight;
  return Array.from({ length: Math.abs(to - from) / straight + 1 }, (_, index) => from + index * step);
}

function describe({ board, rules }: TaflState, square: string): string {
  const kind = groundOf(rules).kinds[Number(square)] ?? null;
  const letter = board[Number(square)] ?? EMPTY;
  return words.on(letter === EMPTY ? words.empty : words.piece(letter), kind === null ? null : words.areas[kind]);
}

/** A position that was set up by hand: the last rank first, as one sees it. */
const EXAMPLE = evolve(evolve(begun(VARIANTS.brandub!), { type: "moved", seat: 0, start: 10, end: 7, record: "d2-a2" }), {
  type: "moved",
  seat: 1,
  start: 17,
  end: 15,
  record: "d3-b3",
});

export const tafl: GameView<TaflState, TaflEvent, Move> = {
  ...face,
  evolve,
  awaited: (state) => (state.turn === null ? [] : [state.turn]),
  analysed: { action: (event) => (event.type === "moved" ? { type: "move", start: event.start, end: event.end } : null) },
  start: begun(VARIANTS[USUAL]!),
  opening,
  example: EXAMPLE,

  sides: 2,
  layout: (state, side) => layoutOf(state.rules, side),
  pieces,
  highlights,
  decisive: ({ board }) => [...board].flatMap((letter, space) => (letter === "K" ? [String(space)] : [])),
  path: (move) => [String(move.start), String(move.end)],
  preview: (state, _, { start, end }, side) => {
    const letter = state.board[start] ?? EMPTY;
    return letter === EMPTY ? [] : [stone(state, side, end, stonesOf(state)[start]!, letter, false)];
  },
  describe,
  explain: (state, square) => explain(state, Number(square)),
  whileHeld: (state, square) => {
    const letter = state.board[Number(square)] ?? EMPTY;
    const ground = groundOf(state.rules);
    const hostile = [...state.board].flatMap((_, space) => (isHostile(ground, state.board, space, letter) ? [String(space)] : []));
    return hostile.length === 0 ? [] : [{ kind: "hostile", squares: hostile, seat: null }];
  },
  steps,
  heard: ({ falling }) => (falling === undefined ? null : falling.length),

  confirm: words.confirm,
  standing: ({ board, berserk, turn }, seat: Seat) => {
    const own = [...board].filter((letter) => letter !== EMPTY && sideOf(letter) === seat);
    const kings = own.filter((letter) => letter === "K").length;
    const left = seat === 0 ? words.attackersLeft(own.length) : words.defendersLeft(kings, own.length - kings);
    return { words: isNumber(berserk) && turn === seat ? `${left}, ${words.goesOn}` : left, out: false };
  },

  shares,
  notation: (event) => {
    if (event.type === "moved") return event.record;
    // Of all other ends the table says why they came.
    return event.type === "ended" && event.reason === "recorded" ? words.recorded : null;
  },
  announcement: (event, after) => {
    if (event.type === "ended") return words.ended[event.reason] ?? null;
    if (event.type !== "moved") return null;
    const { size } = groundOf(after.rules);
    const letter = after.board[event.end] ?? EMPTY;
    const [from, to] = [spaceName(event.start, size), spaceName(event.end, size)];
    const captured = (event.captured ?? []).map((space) => spaceName(space, size));
    return words.moved(letter, from, to, captured, event.again === true);
  },
  dramatic: (event) => event.type === "ended" || (event.type === "moved" && (event.captured ?? []).length > 0),

  reasons: words.reasons,
  lostBy: (last) => {
    const end = last.findLast((event) => event.type === "ended");
    if (end === undefined || end.winner === null || (end.reason !== "resigned" && end.reason !== "time")) return null;
    return { seat: 1 - end.winner, why: end.reason };
  },
  options: {
    // Which rules are played is told in words, beside the board.
    variant: null,
    rules: null,
    quirks: words.options.quirks,
    moves: null,
  },
  Kinds: { load: async () => (await import("./Variants.svelte")).default },
  BeforeStart,
  panels: [{ id: "rules", title: words.rulesTitle, tab: true, Panel: { load: async () => (await import("./RulesPanel.svelte")).default } }],
  rules: { load: async () => (await import("./how_to_play.ts")).rules },
  lesson: { load: async () => (await import("./lesson.ts")).lesson },
  Surface: Field,
  PieceShape: StoneShape,
};
