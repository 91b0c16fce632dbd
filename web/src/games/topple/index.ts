import type { Highlight, Piece } from "../../lib/board/scene.ts";
import type { Seat } from "../../lib/wire/types.ts";
import type { GameView } from "../game.ts";
import { cascade } from "./cascade.ts";
import Cascade from "./Cascade.svelte";
import { face } from "./face.ts";
import { tileName } from "./field.ts";
import Ground from "./Ground.svelte";
import { layout, sizeOf } from "./layout.ts";
import { palette } from "./palette.ts";
import {
  begun,
  bytes,
  copied,
  evolve,
  fieldOf,
  legal,
  mayResign,
  setupOf,
  type Place,
  type ToppleEvent,
  type ToppleState,
} from "./rules.ts";
import { shares } from "./stands.ts";
import { words } from "./texts.ts";
import { chosenTeam } from "./teams.ts";
import TileShape from "./TileShape.svelte";
import { waves } from "./waves.ts";

const DRAMATIC = 3;
/** Where more tiles topple at once, none of them is seen to tip. */
const MOST_TIPPING = 12;

const layoutOf = ({ setup }: ToppleState) => layout(setup.topology, setup.x, setup.y);
/** The seat whose colour a team has. */
const teamColour = (team: number): Seat | null => (team === 0 ? null : team - 1);

/** Every look of every tile, made once: what stays as it is stays the same object. */
const looks = new Map<string, Piece>();

function piece(state: ToppleState, tile: number, count: number, team: number, look: "tips" | "plus" | null = null): Piece {
  const { topology, x, y } = state.setup;
  const key = `${topology},${x},${y},${tile},${count},${team},${look}`;
  let found = looks.get(key);
  if (found === undefined) {
    const on = layoutOf(state);
    const square = on.squares[tile]!;
    const full = count >= fieldOf(state).neighbours[tile]!.length;
    found = {
      key: look === "plus" ? `plus-${square.id}` : square.id,
      kind: look ?? (full ? "full" : "tile"),
      seat: teamColour(team),
      x: square.x,
      y: square.y,
      count,
      size: sizeOf(on.pitch),
      ...(look === "plus" ? { clear: true } : {}),
    };
    looks.set(key, found);
  }
  return found;
}

/** What a piece of this team on this tile would set off, take, and be threatened by. */
function consequences(state: ToppleState, team: number, tile: number, mine: boolean): Highlight[] {
  const on = fieldOf(state);
  const before = bytes(state.owners);
  const after = copied(state);
  const { toppled } = cascade(on, after, tile, team);
  const taken = [...before.keys()].filter((each) => each !== tile && before[each] !== after.owners[each]);
  const threats = mine && toppled.length === 0 ? threatening(state, tile, team) : [];
  const found: Highlight[] = [
    { kind: "takes", squares: taken.map(String), seat: teamColour(team) },
    { kind: "sets-off", squares: toppled.map(String), seat: teamColour(team) },
    { kind: "threat", squares: threats.map(String), seat: null },
  ];
  return found.filter(({ squares }) => squares.length > 0);
}

/** Full tiles of others beside this one. */
function threatening(state: ToppleState, tile: number, team: number): number[] {
  const { neighbours } = fieldOf(state);
  const [board, owners] = [bytes(state.board), bytes(state.owners)];
  return [...new Set(neighbours[tile])].filter(
    (near) => owners[near] !== 0 && owners[near] !== team && board[near]! >= neighbours[near]!.length,
  );
}

function foresee(state: ToppleState, seat: Seat | null, square: string): Highlight[] {
  if (state.turn === null) return [];
  const tile = Number(square);
  const owner = bytes(state.owners)[tile] ?? 0;
  const mine = seat === null ? 0 : (state.setup.teams[seat] ?? 0);
  if (mine !== 0 && (owner === 0 || owner === mine)) return consequences(state, mine, tile, true);
  if (owner === 0 || bytes(state.board)[tile]! < fieldOf(state).neighbours[tile]!.length) return [];
  return consequences(state, owner, tile, false);
}

/** A position that was set up by hand: rows of pieces, and rows of teams. */
function arranged(topology: number, pieces: string[], teams: string[]): ToppleState {
  const digits = (rows: string[]) => Uint8Array.from([...rows.join("")].map(Number));
  const owners = digits(teams);
  const setup = { ...setupOf({}, 2), topology, x: pieces[0]!.length, y: pieces.length };
  const owned = [0, 1, 2, 3, 4, 5, 6].map((team) => owners.filter((owner) => owner === team).length);
  return { ...begun(setup), board: digits(pieces), owners, owned };
}

/** As at the server. */
const MOST_TILES = 225;

export const topple: GameView<ToppleState, ToppleEvent, Place> = {
  ...face,
  evolve,
  awaited: (state) => (state.turn === null ? [] : [state.turn]),
  legal,
  play: (_, seat, { tile }) => [{ type: "moved", seat, tile }],
  start: begun(setupOf({}, 2)),
  opening: (options, seats) => begun(setupOf(options, seats)),
  example: arranged(
    0,
    ["211122", "123111", "114211", "112311", "111132", "221113"],
    ["100022", "111000", "011200", "001220", "000022", "110002"],
  ),

  sides: 1,
  layout: layoutOf,
  pieces: (state) => {
    const owners = bytes(state.owners);
    const tips = state.wave === undefined || state.wave.tips.length > MOST_TIPPING ? [] : state.wave.tips;
    return Array.from(bytes(state.board), (count, tile) =>
      piece(state, tile, count, owners[tile]!, tips.includes(tile) ? "tips" : null),
    );
  },
  highlights: (state, last) =>
    last.flatMap((event) =>
      state.wave === undefined && event.type === "moved"
        ? [{ kind: "last" as const, squares: [String(event.tile)], seat: null }]
        : [],
    ),
  decisive: ({ winner, owners }, last) => {
    const move = last.findLast((event) => event.type === "moved");
    // Where nobody has moved last, it was counted, or somebody was left alone.
    if (move !== undefined) return [String(move.tile)];
    return [...bytes(owners)].flatMap((owner, tile) => (owner !== 0 && owner === winner ? [String(tile)] : []));
  },
  path: (action) => [String(action.tile)],
  // What is on the tile stays to be seen: whether one more is enough is the question.
  preview: (state, seat, action) => [piece(state, action.tile, 1, state.setup.teams[seat]!, "plus")],
  foresee,
  describe: (state, square, name) => {
    const tile = Number(square);
    const count = bytes(state.board)[tile]!;
    const team = bytes(state.owners)[tile]!;
    const names = state.setup.teams.flatMap((other, seat) => (other === team ? [name(seat)] : []));
    return words.holds(count, team === 0 ? null : names, count >= fieldOf(state).neighbours[tile]!.length);
  },
  steps: (before, events, most) => {
    const [event, ...others] = events;
    return event === undefined || others.length > 0 ? [] : waves(before, event, most);
  },
  heard: ({ wave }) => wave?.number ?? null,

  team: (seat, options, state) => teamColour(state === null ? chosenTeam(seat, options) : (state.setup.teams[seat] ?? 0)),
  standing: (state, seat) => {
    const team = state.setup.teams[seat] ?? 0;
    if (team === 0) return { words: null, out: true };
    const counted = state.setup.scoring === "elim";
    const figure = counted ? (state.owned[team] ?? 0) : (state.scores[team] ?? 0);
    return { words: counted ? words.tiles(figure) : words.points(figure), out: state.alive[seat] === false };
  },

  shares,
  notation: (event, after) => {
    switch (event.type) {
      case "moved":
        return tileName(event.tile, after.setup.x);
      case "skipped":
        return words.skipped;
      case "removed":
        return event.why === "resigned" ? null : words.gone[event.why];
      default:
        return null;
    }
  },
  announcement: (event, after) => {
    if (event.type === "skipped") return words.skipped;
    if (event.type === "removed") return words.gone[event.why];
    if (event.type !== "moved") return null;
    const place = layoutOf(after).squares[event.tile]!.name;
    return words.placed(place, after.did?.toppled ?? 0, after.did?.captured ?? 0);
  },
  dramatic: (event, after) =>
    event.type === "removed" ||
    (event.type === "moved" && (after.fell.length > 0 || after.winner !== null || (after.did?.captured ?? 0) >= DRAMATIC)),

  mayResign,
  reasons: words.reasons,
  lostBy: (last) => {
    const gone = last.findLast((event) => event.type === "removed");
    return gone === undefined ? null : { seat: gone.seat, why: gone.why === "lost" ? "time" : gone.why };
  },
  options: words.options,
  resumed: (decor) => (decor.position === undefined ? null : evolve(null, decor.position as ToppleEvent)),
  palette,
  presets: [
    { text: words.presets.two },
    { text: words.presets.quick, options: { x: 5, y: 5 }, clock: { kind: "turn", limit: 15_000 } },
    { text: words.presets.teams, options: { x: 8, y: 8, teams: words.options.teams.presets[1]!.value }, seats: 4 },
    { text: words.presets.crowd, options: { x: 9, y: 9 }, seats: 6, clock: { kind: "turn", limit: 30_000 } },
  ],
  unfit: ({ x, y }) => (Number(x) * Number(y) > MOST_TILES ? { option: "y", why: words.tooLarge(Number(x), MOST_TILES) } : null),
  rules: {
    short: words.shortRules,
    pictures: [
      { state: arranged(0, ["2122", "1413", "1131", "1112"], ["1122", "1112", "0122", "0002"]), text: words.pictures.full },
      {
        state: arranged(0, ["1111", "1411", "1121", "1111"], ["0000", "0120", "0020", "0000"]),
        then: [{ type: "moved", seat: 0, tile: 5 }],
        text: words.pictures.toppled,
        crop: ["0", "10"],
      },
      { state: arranged(3, ["1211", "1121", "2141", "1112"], ["0100", "0010", "1022", "0002"]), text: words.pictures.joined },
    ],
    full: [...words.fullRules, words.advice],
  },
  lesson: { load: async () => (await import("./lesson.ts")).lesson },
  Surface: Ground,
  PieceShape: TileShape,
  Motion: Cascade,
};
