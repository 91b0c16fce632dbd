import type { Piece } from "../../lib/board/scene.ts";
import type { GameView } from "../game.ts";
import { face } from "./face.ts";
import { layouts } from "./layout.ts";
import MarkShape from "./MarkShape.svelte";
import { EMPTY, evolve, legal, START, type Place, type TowerEvent, type TowerState } from "./rules.ts";
import { shares } from "./stands.ts";
import { words } from "./texts.ts";
import Tower from "./Tower.svelte";

const MARKS = ["X", "O", "J"];
const EXAMPLE = [0, 12, 4, 2, 14, 20, 16, 9, 6];

/** Every mark on every tile, made once: what stays on the board stays the same object. */
const PIECES: Piece[][][] = layouts.map(({ squares }) =>
  squares.map(({ id, x, y }) => MARKS.map((_, seat) => ({ key: id, kind: "mark", seat, x, y }))),
);

function mark(tile: number, seat: number, side: number): Piece {
  return PIECES[side]![tile]![seat]!;
}

/** A tower on which this line has just been completed. */
function won(seat: number, line: number[]): TowerState {
  const marks = START.marks.map((mark, tile) => (line.includes(tile) ? seat : mark));
  return { marks, turn: null, winner: seat, line };
}

export const tower: GameView<TowerState, TowerEvent, Place> = {
  ...face,
  evolve,
  awaited: (state) => (state.turn === null ? [] : [state.turn]),
  legal,
  play: (_, seat, { tile }) => [{ type: "placed", seat, tile }],
  start: START,
  example: EXAMPLE.reduce<TowerState>((state, tile, turn) => evolve(state, { type: "placed", seat: turn % 3, tile }), START),

  sides: layouts.length,
  layout: (_, side) => layouts[side]!,
  pieces: (state, side) => state.marks.flatMap((seat, tile) => (seat === EMPTY ? [] : [mark(tile, seat, side)])),
  highlights: (state, last) => [
    ...last.flatMap((event) =>
      event.type === "placed" ? [{ kind: "last" as const, squares: [String(event.tile)], seat: event.seat }] : [],
    ),
    ...(state.line === null ? [] : [{ kind: "win" as const, squares: state.line.map(String), seat: state.winner }]),
  ],
  path: (action) => [String(action.tile)],
  preview: (_, seat, action, side) => [mark(action.tile, seat, side)],
  describe: (state, square) => {
    const seat = state.marks[Number(square)] ?? EMPTY;
    return seat === EMPTY ? words.empty : words.marked(MARKS[seat]!);
  },

  shares,
  notation: (event) => (event.type === "placed" ? words.short(event.tile) : null),
  announcement: (event) =>
    event.type === "placed" ? words.placed(MARKS[event.seat]!, layouts[0]!.squares[event.tile]!.name) : null,
  dramatic: (event, after) => event.type === "placed" && after.winner !== null,

  reasons: words.reasons,
  presets: [
    { text: words.presets.leisure },
    { text: words.presets.quick, clock: { kind: "turn", limit: 15_000 } },
    { text: words.presets.clock, clock: { kind: "bank", main: 180_000, increment: 2_000 } },
  ],
  rules: {
    short: words.shortRules,
    pictures: [
      { state: won(0, [5, 6, 7]), text: words.pictures.edge },
      { state: won(1, [2, 10, 18]), text: words.pictures.column },
      { state: won(2, [5, 14, 23]), text: words.pictures.face },
    ],
    full: [words.lines, ...words.fullRules, words.advice],
  },
  lesson: { load: async () => (await import("./lesson.ts")).lesson },
  Surface: Tower,
  PieceShape: MarkShape,
};
