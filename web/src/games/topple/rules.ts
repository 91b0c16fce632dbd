import type { Seat } from "../../lib/wire/types.ts";
import { cascade, type Pieces } from "./cascade.ts";
import { field, TOPOLOGIES, type Field } from "./field.ts";
import { chosenTeam, TEAMS } from "./teams.ts";
import type { Wave } from "./waves.ts";

const SIDE = 6;

export type Scoring = "elim" | "tile" | "piece";

export interface Setup {
  topology: number;
  x: number;
  y: number;
  /** The team of each seat; 0 for a seat that nobody took. */
  teams: number[];
  scoring: Scoring;
  penalty: string;
  idle_rounds: number;
}

/** As the server writes bytes, or as they are worked with here. */
export type Bytes = string | Uint8Array;

export interface ToppleState {
  setup: Setup;
  board: Bytes;
  owners: Bytes;
  owned: number[];
  alive: boolean[];
  turn: Seat | null;
  /** Index 0, which is for nobody, and each team's score; null while it has none. */
  scores: (number | null)[];
  first: boolean;
  idle: number;
  fell: Seat[];
  winner: number | null;
  ending: string | null;
  /** What the last move did, where this page has seen it. */
  did?: Did | undefined;
  /** In the middle of a cascade: what is in the air. */
  wave?: Wave;
}

export interface Did {
  tile: number;
  toppled: number;
  /** Tiles that other teams had before. */
  captured: number;
}

export interface Place {
  type: "place";
  tile: number;
}

export type ToppleEvent =
  | { type: "began"; setup: Setup }
  | {
      type: "resumed";
      setup: Setup;
      board: Bytes;
      owners: Bytes;
      alive: boolean[];
      turn: Seat | null;
      scores: (number | null)[];
    }
  | { type: "moved"; seat: Seat; tile: number }
  | { type: "skipped"; seat: Seat }
  | { type: "removed"; seat: Seat; why: "left" | "lost" | "resigned" };

export function bytes(written: Bytes): Uint8Array {
  if (typeof written !== "string") return written;
  return Uint8Array.from(atob(written), (letter) => letter.charCodeAt(0));
}

export function fieldOf({ setup }: ToppleState): Field {
  return field(setup.topology, setup.x, setup.y);
}

/** The pieces of a position, to be changed. */
export function copied(state: ToppleState): Pieces {
  return { board: bytes(state.board).slice(), owners: bytes(state.owners).slice(), owned: [...state.owned] };
}

/** The setup of a table that has not begun. */
export function setupOf(options: Record<string, unknown>, seats: number): Setup {
  return {
    topology: Math.max(0, TOPOLOGIES.indexOf(String(options.topology))),
    x: Number(options.x ?? SIDE),
    y: Number(options.y ?? SIDE),
    teams: Array.from({ length: seats }, (_, seat) => chosenTeam(seat, options)),
    scoring: (options.scoring as Scoring | undefined) ?? "elim",
    penalty: String(options.penalty ?? "random"),
    idle_rounds: Number(options.idle_rounds ?? 5),
  };
}

export function begun(setup: Setup): ToppleState {
  const alive = setup.teams.map((team) => team > 0);
  const tiles = setup.x * setup.y;
  return {
    setup,
    board: new Uint8Array(tiles).fill(1),
    owners: new Uint8Array(tiles),
    owned: [tiles, ...Array.from({ length: TEAMS }, () => 0)],
    alive,
    turn: alive.indexOf(true),
    scores: Array.from({ length: TEAMS + 1 }, () => (setup.scoring === "elim" ? null : 0)),
    first: true,
    idle: 0,
    fell: [],
    winner: null,
    ending: null,
  };
}

export function evolve(state: ToppleState | null, event: ToppleEvent): ToppleState {
  if (event.type === "began") return begun(event.setup);
  if (event.type === "resumed") return resumed(event);
  if (state === null) throw new Error("a game begins before it goes on");
  switch (event.type) {
    case "moved":
      return moved(state, event.seat, event.tile);
    case "skipped":
      return skipped(state, event.seat);
    case "removed":
      return event.why === "resigned" ? resigned(state, event.seat) : overIfOneTeamIsLeft(removed(state, event.seat));
  }
}

function resumed({ setup, alive, turn, scores, ...event }: ToppleEvent & { type: "resumed" }): ToppleState {
  const owners = bytes(event.owners);
  const owned = Array.from({ length: TEAMS + 1 }, (_, team) => owners.filter((owner) => owner === team).length);
  const state = { ...begun(setup), board: bytes(event.board), owners, owned, alive, turn, scores };
  return overIfOneTeamIsLeft(state);
}

function moved(state: ToppleState, seat: Seat, tile: number): ToppleState {
  const { setup } = state;
  const team = setup.teams[seat]!;
  const before = bytes(state.owners);
  const after = copied(state);
  const { owned } = after;
  const { emptied, toppled } = cascade(fieldOf(state), after, tile, team);

  const fell = emptied.length > 0 && owned[0] === 0 ? capturedOut(state, team, emptied) : [];
  const alive = state.alive.map((living, other) => living && !fell.includes(other));
  const won = owned[team] === before.length;
  const scores = scored(state, after, team, won);
  const turn = won ? null : following(alive, seat);
  const over = turn === null;
  const captured = before.reduce(
    (count, owner, at) => (owner !== 0 && owner !== after.owners[at] ? count + 1 : count),
    0,
  );
  return {
    ...after,
    setup,
    alive,
    turn,
    scores,
    first: false,
    idle: 0,
    fell,
    winner: over ? best(setup.scoring, scores, team) : null,
    ending: over ? (won ? "everything" : "alone") : null,
    did: { tile, toppled: toppled.length, captured },
  };
}

/**
 * Who falls, in order, when these lost their last tiles and no tile is neutral any more. While there are neutral tiles
 * nobody falls, so those who had lost everything before fall together with the last neutral tile.
 */
function capturedOut(state: ToppleState, mover: number, emptied: number[]): Seat[] {
  const { teams } = state.setup;
  const living = teams.flatMap((_, seat) => (state.alive[seat] ? [seat] : []));
  const place = emptied.indexOf(0);
  const before = place < 0 ? [] : emptied.slice(0, place);
  const together =
    place < 0
      ? []
      : living.filter((seat) => {
          const team = teams[seat]!;
          return before.includes(team) || (state.owned[team] === 0 && team !== mover);
        });
  return [
    ...together,
    ...emptied.slice(place + 1).flatMap((owner) => living.filter((seat) => teams[seat] === owner)),
  ];
}

function scored(state: ToppleState, after: Pieces, team: number, won: boolean): (number | null)[] {
  const { scoring, teams } = state.setup;
  if (scoring === "elim") return after.owned[0] === 0 ? ranked(state.scores, after.owned, teams) : state.scores;
  const counts = scoring === "tile" ? after.owned : piecesByTeam(after);
  if (scoring === "piece" && won) {
    // All pieces are the winner's, those included that were still falling when everything stopped.
    const all = bytes(state.board).reduce((sum, pieces) => sum + pieces, 1);
    counts.forEach((_, each) => (counts[each] = each === team ? all : 0));
  }
  return state.scores.map((score, each) => (each === 0 ? 0 : (score ?? 0) + counts[each]!));
}

function ranked(scores: (number | null)[], owned: number[], teams: number[]): (number | null)[] {
  const next = [...scores];
  let place = teams.length - scores.filter((score) => score !== null).length;
  const playing = [...new Set(teams)].filter((team) => team > 0).sort((one, other) => one - other);
  for (const team of playing) {
    if (owned[team] === 0 && next[team] === null) next[team] = place--;
  }
  return next;
}

function piecesByTeam({ board, owners }: { board: Uint8Array; owners: Uint8Array }): number[] {
  const counts = Array.from({ length: TEAMS + 1 }, () => 0);
  board.forEach((pieces, tile) => (counts[owners[tile]!]! += pieces));
  return counts;
}

function best(scoring: Scoring, scores: (number | null)[], standing: number): number {
  if (scoring === "elim") return standing;
  const most = Math.max(...scores.map((score) => score ?? 0));
  return scores[standing] === most ? standing : scores.indexOf(most);
}

function skipped(state: ToppleState, seat: Seat): ToppleState {
  const idle = state.idle + 1;
  const next = { ...state, did: undefined, turn: following(state.alive, seat), first: false, idle, fell: [] };
  if (idle < state.setup.idle_rounds * state.alive.filter(Boolean).length) return next;
  const pieces = piecesByTeam({ board: bytes(state.board), owners: bytes(state.owners) });
  const [most] = livingTeams(state).sort(
    (one, other) => state.owned[other]! - state.owned[one]! || pieces[other]! - pieces[one]! || one - other,
  );
  return over(next, most!, "idle");
}

function removed(state: ToppleState, seat: Seat): ToppleState {
  const alive = state.alive.with(seat, false);
  const acting = state.turn === seat;
  const turn = acting ? following(alive, seat) : state.turn;
  return { ...state, did: undefined, alive, turn, first: acting ? false : state.first, fell: [] };
}

/** Whoever gives up has not won, however many points they have. */
function resigned(state: ToppleState, seat: Seat): ToppleState {
  const out = removed(state, seat);
  return { ...out, turn: null, winner: livingTeams(out)[0]!, ending: "resigned" };
}

/** As at the server: where only two are left, either may resign. */
export function mayResign({ alive }: ToppleState, seat: Seat): boolean {
  return alive[seat] === true && alive.filter(Boolean).length === 2;
}

function livingTeams(state: ToppleState): number[] {
  return [...new Set(state.setup.teams.filter((_, seat) => state.alive[seat]))];
}

function overIfOneTeamIsLeft(state: ToppleState): ToppleState {
  const [only, ...others] = livingTeams(state);
  return only !== undefined && others.length === 0 ? over(state, only, "alone") : state;
}

function over(state: ToppleState, standing: number, ending: string): ToppleState {
  return { ...state, turn: null, winner: best(state.setup.scoring, state.scores, standing), ending };
}

/** Who is next in the turn order after this seat; null if there is nobody else. */
function following(alive: boolean[], seat: Seat): Seat | null {
  const next = alive.indexOf(true, seat + 1);
  if (next >= 0) return next;
  const first = alive.indexOf(true);
  return first >= 0 && first < seat ? first : null;
}

export function legal(state: ToppleState, seat: Seat): Place[] {
  if (seat !== state.turn) return [];
  const team = state.setup.teams[seat];
  return [...bytes(state.owners)].flatMap((owner, tile) =>
    owner === 0 || owner === team ? [{ type: "place" as const, tile }] : [],
  );
}
