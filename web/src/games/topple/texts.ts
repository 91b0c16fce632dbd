import { list, plural } from "../../texts/grammar.ts";
import { faceWords } from "./face_texts.ts";

const owners = (names: string[]): string => `${list(names)}'s`;

/** The words of Topple, in English. */
export const words = {
  board: (x: number, y: number) => `Topple, ${plural(x, "column", "columns")} and ${plural(y, "row", "rows")}`,
  holds: (pieces: number, names: string[] | null, full: boolean) =>
    [
      plural(pieces, "piece", "pieces"),
      names === null ? "nobody's" : owners(names),
      ...(full ? ["topples next"] : []),
    ].join(", "),
  placed: (place: string, toppled: number, captured: number) =>
    [
      place,
      ...(toppled > 0 ? [plural(toppled, "tile topples", "tiles topple")] : []),
      ...(captured > 0 ? [`${plural(captured, "tile", "tiles")} captured`] : []),
    ].join(", "),
  skipped: "skips",
  gone: { left: "leaves", lost: "is out of time", resigned: "resigns" },
  tiles: (count: number) => plural(count, "tile", "tiles"),
  points: (count: number) => plural(count, "point", "points"),
  presets: { two: "For two", quick: "Quick", teams: "Two against two", crowd: "Six on a large board" },
  tooLarge: (columns: number, most: number) =>
    `A board has at most ${most} tiles: with ${plural(columns, "column", "columns")}, ${plural(Math.floor(most / columns), "row", "rows")}.`,
  paletteHint: "Each team keeps its own shape of pips too.",
  nobodys: "Nobody's tiles",
  team: (letter: string) => `Team ${letter}`,
  reasons: {
    everything: "Every tile is taken",
    alone: "Nobody else is left",
    idle: "Nobody moved; tiles were counted",
  } as Record<string, string>,
  options: {
    topology: {
      title: "Board",
      hint: "Where edges are joined, what topples over one comes in at the other.",
      choices: {
        grid: "With edges",
        hwrap: "Left and right joined",
        vwrap: "Top and bottom joined",
        bwrap: "All edges joined",
      },
    },
    x: { title: "Columns" },
    y: { title: "Rows", hint: "At most 225 tiles in all." },
    scoring: {
      title: "Who wins",
      hint: "The game ends when one team has everything. With points, each move brings every team one for each of its tiles or pieces.",
      choices: faceWords.scoring,
    },
    penalty: {
      title: "When time is up",
      choices: { random: "A random move", skip: "The turn is skipped", lose: "The player is out" },
    },
    idle_rounds: {
      title: "Rounds without a move",
      hint: "When so many rounds were skipped, the game ends and tiles are counted.",
    },
    teams: {
      title: "Teams",
      hint: "Partners share their tiles, and each has a turn.",
      presets: faceWords.teams,
    },
    resume: null,
    position: null,
  },
  shortRules: [
    "Every tile begins with one piece and belongs to nobody.",
    "On your turn put a piece on a tile that is nobody's or your own. It is yours now.",
    "A tile with more pieces than neighbours topples: each neighbour gets one piece and becomes yours, whoever had it. So one move can set off many.",
    "Own every tile and you win.",
  ],
  pictures: {
    full: "Raised tiles with a rim are full: a corner holds two pieces, an edge three, all others four. One more and they topple.",
    toppled: "One more piece, and the full tile topples. It keeps one, gives one to each neighbour, and all of them are blue now.",
    joined: "A dashed edge with arrows is joined with the one across: what topples out there comes in here.",
  },
  fullRules: [
    "Two to ten players. The first six have a team each; from the seventh on they join the first four teams. Partners share tiles and have turns of their own.",
    "You cannot pass. If your clock runs out, what was agreed happens: a random move, none, or you are out. The first turn is not timed.",
    "Toppling goes on until no tile has more pieces than neighbours, or until one team has every tile: then everything stops at once.",
    "While some tiles are nobody's, nobody is out, however little they have. After that, whoever has no tile left is out.",
    "Whoever leaves is out. The tiles stay with the team and can still be captured. If only one team is left, it wins.",
    "Where a joined side is two tiles long, a tile has the same neighbour twice and gives it two pieces.",
    "With points for tiles or pieces the game ends in the same way, but the highest score wins. In a tie it is the team that ended the game.",
  ],
  advice:
    "A full tile is a threat to everything beside it. Do not put your pieces next to a full tile of others: you only feed them. Corners fill fastest. Point at a full tile to see what it would take.",
};
