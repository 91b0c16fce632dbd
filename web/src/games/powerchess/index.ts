import type { GameView } from "../game.ts";
import { kindOf, seatOf } from "./board.ts";
import ChessBoard from "./ChessBoard.svelte";
import { describe, explain } from "./describe.ts";
import { EXAMPLE } from "./example.ts";
import { face } from "./face.ts";
import { layouts } from "./layout.ts";
import { actionOf, controlLabel, offered, path, promotionPick, PROMOTIONS, USE } from "./picking.ts";
import { chessPiece, pieces } from "./pieces.ts";
import { begun, evolve, type Action, type PowerChessEvent, type PowerChessState } from "./rules.ts";
import Shape from "./Shape.svelte";
import { shares, worth } from "./stands.ts";
import { announcement, dramatic, notation } from "./telling.ts";
import { words } from "./texts.ts";
import { highlights, steps } from "./unfolding.ts";

const atTable = () => import("./at_table.ts");

const SECOND = 1000;
const bank = (minutes: number, seconds: number) =>
  ({ kind: "bank", main: minutes * 60 * SECOND, increment: seconds * SECOND }) as const;

/** The kings of those who have not won: who resigns or is out of time lays his down. */
function fallenKings({ board, ending }: PowerChessState): string[] {
  return Array.from(board).flatMap((letter, square) =>
    kindOf(letter) === "k" && seatOf(letter) !== ending?.winner ? [String(square)] : [],
  );
}

export const powerchess: GameView<PowerChessState, PowerChessEvent, Action> = {
  ...face,
  evolve,
  awaited: ({ turn }) => (turn === null ? [] : [turn]),
  analysed: { action: actionOf },
  keepsOffers: ([event]) => event?.type !== "moved",
  start: begun(),
  example: EXAMPLE,

  sides: 2,
  sideOf: (viewer) => (viewer === 1 ? 1 : 0),
  layout: (_, side) => layouts[side]!,
  pieces,
  highlights,
  decisive: fallenKings,
  describe: (state, square) => describe(state, Number(square)),
  explain: (state, square) => explain(state, Number(square)),
  path,
  preview: (state, _, action, side) => {
    const { choice } = state;
    const [from, to] =
      action.type === "move"
        ? [action.start, action.end]
        : [choice?.square, action.power === "adjust" || action.power === "second_effort" ? action.target : null];
    if (from === undefined || typeof to !== "number") return [];
    const shown = chessPiece(state, side, from, to);
    return shown === null ? [] : [shown];
  },
  controlLabel,
  Controls: { load: async () => (await atTable()).Controls },
  keys: [
    { key: "1", text: words.keys.first, pick: (state) => offered(state, 0) },
    { key: "2", text: words.keys.second, pick: (state) => offered(state, 1) },
    { key: "u", text: words.keys.use, pick: () => USE },
    ...PROMOTIONS.map((to) => ({ key: to === "knight" ? "n" : to[0]!, text: words.keys.promote(to), pick: () => promotionPick(to) })),
  ],
  steps,

  standing: (state, seat) => {
    if (state.choice !== null && state.turn === seat) return { words: words.chooses, out: false };
    const ahead = worth(state, seat) - worth(state, 1 - seat);
    return { words: ahead > 0 ? words.ahead(ahead) : null, out: false };
  },
  shares,
  notation,
  announcement,
  dramatic,

  reasons: words.reasons,
  lostBy: (last) => {
    const end = last.findLast((event) => event.type === "ended");
    if (end === undefined || end.winner === null || (end.reason !== "resigned" && end.reason !== "time")) return null;
    return { seat: 1 - end.winner, why: end.reason };
  },
  options: words.options,
  presets: [
    { text: words.clocks.leisure },
    { text: words.clocks.quick, clock: bank(5, 5) },
    { text: words.clocks.standard, clock: bank(15, 15) },
    { text: words.clocks.slow, clock: bank(45, 45) },
  ],
  clocks: [
    { text: words.clocks.quick, clock: bank(5, 5) },
    { text: words.clocks.standard, clock: bank(15, 15) },
    { text: words.clocks.slow, clock: bank(45, 45) },
  ],
  AtSeat: { load: async () => (await atTable()).AtSeat },
  panels: [{ id: "lasting", title: words.panels.lasting, tab: true, Panel: { load: async () => (await atTable()).InPlayPanel } }],
  rules: { load: async () => (await import("./how_to_play.ts")).rules },
  lesson: { load: async () => (await import("./lesson.ts")).lesson },
  Surface: ChessBoard,
  PieceShape: Shape,
};
