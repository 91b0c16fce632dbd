import type { Highlight } from "../../lib/board/scene.ts";
import type { GameKey, GameView } from "../game.ts";
import BeforeStart from "./BeforeStart.svelte";
import Building from "./Building.svelte";
import "./chains.css";
import { END, OK, onBoard, otherPaths, path, pressDigit, pressLetter, type Hands } from "./choosing.ts";
import { EXAMPLE } from "./example.ts";
import { face } from "./face.ts";
import { growing } from "./growing.ts";
import { ended, isDramatic, told, toldWithBonuses } from "./history.ts";
import { layout } from "./layout.ts";
import { MODES } from "./modes.ts";
import { built, pieces } from "./pieces.ts";
import { cellsOf, CHAINS, LARGE, LETTERS } from "./plan.ts";
import Plan from "./Plan.svelte";
import { begun, evolve, hasForfeited, legal, painted, type AcquireAction, type AcquireEvent, type AcquireState } from "./rules.ts";
import { nets, teamOf } from "./scores.ts";
import { shares } from "./stands.ts";
import { cellAfter, describe, explain, foresee } from "./telling.ts";
import { words } from "./texts.ts";

const atTable = () => import("./at_table.ts");

const DIGITS = [1, 2, 3, 4, 5, 6, 7];

function keyText(letter: string): string {
  if (letter === "T") return words.keys.tower;
  if (letter === "O") return words.keys.ok;
  if (letter === "E") return words.keys.end;
  if (letter === "K") return words.keys.keep;
  return letter === "S" ? words.keys.sell : words.keys.letter;
}

const keys: GameKey<AcquireState>[] = [
  ...DIGITS.map((digit) => ({
    key: String(digit),
    text: words.keys.digit,
    use: (hands: Hands) => pressDigit(hands, digit),
  })),
  ...[...LETTERS, ..."KSOE"].map((letter) => ({
    key: letter.toLowerCase(),
    text: keyText(letter),
    use: (hands: Hands) => pressLetter(hands, letter),
  })),
];

function controlLabel(pick: string): string {
  if (pick === OK) return words.form.ok;
  if (pick === END) return words.buying.end;
  const [kind, number] = pick.split("-");
  if (kind === "trade") return `${words.disposing.trade} ${number}`;
  if (kind === "sell") return `${words.disposing.sell} ${number}`;
  return CHAINS[Number(number)] ?? pick;
}

export const acquire: GameView<AcquireState, AcquireEvent, AcquireAction> = {
  ...face,
  evolve,
  awaited: ({ next }) => (next.action === "GameOver" ? [] : [next.seat]),
  legal,
  start: begun(4),
  opening: (options, seats) => begun(seats, MODES[String(options.mode)]?.teams ?? seats),
  seatsFor: ({ mode }) => [MODES[String(mode)]?.seats ?? 4],
  example: EXAMPLE,

  sides: 1,
  layout,
  pieces,
  highlights: (_, last) => {
    const played = last.flatMap((event): Highlight[] =>
      event.type === "acted" && event.action.type === "PlayTile"
        ? [{ kind: "last", squares: [onBoard(event.action.tile)], seat: null }]
        : [],
    );
    return played.slice(-1);
  },
  decisive: ({ board }) => {
    const all = CHAINS.map((_, chain) => cellsOf(board, LETTERS[chain]!));
    const large = all.filter((cells) => cells.length >= LARGE);
    // Without a chain that is large enough, it is over because all of them are safe, or no tile can be played.
    return (large.length > 0 ? large : all).flat().map(onBoard);
  },
  describe,
  explain,
  foresee,
  path,
  otherPaths,
  preview: (state, _, action) => {
    if (action.type !== "PlayTile") return [];
    const cell = cellAfter(state.board, action.tile);
    return [{ ...built(painted(state.board, [[action.tile, cell]]), action.tile, cell), key: `own-${action.tile}` }];
  },
  steps: growing,
  controlLabel,
  Controls: { load: async () => (await atTable()).Desk },
  keys,

  // Who plays with whom may be drawn by lot when the game begins.
  team: (seat, _, state) => (state === null ? null : teamOf(seat, state.teams)),
  standing: (state, seat) => {
    const { title, forfeited } = words.standing;
    const figure = { title, words: words.money(nets(state)[seat] ?? 0) };
    return hasForfeited(state, seat) ? { ...figure, note: forfeited, out: true } : { ...figure, out: false };
  },
  shares,
  notation: toldWithBonuses,
  announcement: (event, _, name) => told(event, name),
  dramatic: isDramatic,

  reasons: words.reasons,
  ended,
  questions: words.questions,
  options: {
    mode: { title: words.form.mode, choices: Object.fromEntries(Object.keys(MODES).map((mode) => [mode, words.form.modes(mode)])) },
    order: { title: words.form.order, choices: words.form.orders },
  },
  presets: [
    { text: words.form.presets.four },
    { text: words.form.presets.two, options: { mode: "singles_2" } },
    { text: words.form.presets.teams, options: { mode: "teams_2_vs_2" } },
    { text: words.form.presets.quick, clock: { kind: "bank", main: 600_000, increment: 5_000 } },
  ],
  // Who plays first, and with whom, is drawn.
  seatsMatter: ({ order }) => order !== "random",
  OptionsForm: { load: async () => (await import("./OptionsForm.svelte")).default },
  BeforeStart,
  panels: [{ id: "score", title: words.sheet.title, Panel: { load: async () => (await atTable()).ScoreSheet } }],
  rules: { load: async () => (await import("./how_to_play.ts")).rules },
  lesson: { load: async () => (await import("./lesson.ts")).lesson },
  Surface: Plan,
  PieceShape: Building,
};

