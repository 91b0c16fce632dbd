import type { AnyGame } from "../../games/game.ts";
import type { ClosedWhy, Happening, PlayedWhy, Said } from "../wire/happenings.ts";
import type { Events, TablePicture } from "../wire/to_client.ts";
import type { Clock, ClockSetting, Holder, Outcome, Phase, Seat, StartRule } from "../wire/types.ts";

/** One step of the game: what happened, and how things stood after it. */
export interface Position {
  state: unknown;
  events: readonly unknown[];
  /** How things stood after each of the events but the last: one move may be several things to see. */
  between: readonly unknown[];
  seat: Seat | null;
  why: PlayedWhy;
  at: number;
}

/** A table as this page knows it: the fold of what it was told. */
export interface Table {
  id: string;
  game: string;
  seq: number;
  stamp: number;
  phase: Phase;
  options: Record<string, unknown>;
  seats: (Holder | null)[];
  host: string | null;
  start: StartRule;
  clock: ClockSetting;
  times: Clock | null;
  awaited: Seat[];
  outcome: Outcome | null;
  ready: Seat[];
  drawOffers: Seat[];
  rematch: Seat[];
  waiting: Seat[];
  away: string[];
  private: boolean;
  /** Who sits down must know a password. */
  locked: boolean;
  /** How the table looks, in the game's own words. */
  decor: Record<string, unknown>;
  key: string | null;
  room: string | null;
  before: string | null;
  successor: string | null;
  opened: number;
  closed: boolean;
  /** Why it was closed; null if it was not, or nobody has told. */
  closedWhy: ClosedWhy | null;
  /** Watchers talk at the table, too. */
  oneChat: boolean;
  /** Who has left a seat since the game began, and nobody has taken it. */
  leavers: Readonly<Record<Seat, string>>;
  /** The first is the beginning of the game; empty before it. */
  positions: Position[];
  /** The number up to which things were told when the game last moved: what may be done depends on nothing later. */
  lastPlay: number;
  /** Whether the positions go back to the beginning. */
  complete: boolean;
  /** Moves were told that are still to be folded: the page had not the rules of the game yet, or they are many. */
  unfolded: boolean;
  /** All that happened that is worth telling, chat included. */
  talk: Said[];
  log: Happening[];
}

export function fromPicture(picture: TablePicture): Table {
  const started = picture.state !== null && picture.state !== undefined;
  return {
    id: picture.table,
    game: picture.game,
    seq: picture.seq,
    stamp: picture.stamp,
    phase: picture.phase,
    options: picture.options,
    seats: picture.seats,
    host: picture.host,
    start: picture.start,
    clock: picture.clock,
    times: picture.times,
    awaited: picture.awaited,
    outcome: picture.outcome ?? null,
    ready: picture.ready ?? [],
    drawOffers: picture.draw_offers ?? [],
    rematch: picture.rematch ?? [],
    waiting: picture.waiting ?? [],
    away: picture.away ?? [],
    private: picture.private ?? false,
    locked: picture.locked ?? false,
    decor: picture.decor ?? {},
    key: picture.key ?? null,
    room: picture.room ?? null,
    before: picture.before ?? null,
    successor: picture.successor ?? null,
    opened: picture.opened,
    closed: picture.phase === "over" && (picture.outcome ?? null) === null,
    closedWhy: null,
    oneChat: picture.one_chat ?? false,
    leavers: {},
    positions: started
      ? [{ state: picture.state, events: [], between: [], seat: null, why: "acted", at: picture.opened }]
      : [],
    lastPlay: picture.seq,
    complete: false,
    unfolded: false,
    talk: [],
    log: [],
  };
}

/** The table after more was told of it; null if something in between is missing. */
export function told(table: Table | null, news: Events, games: (name: string) => AnyGame | null): Table | null {
  // A picture that was here first is not worth the whole history, of which this may be the first piece.
  const better = news.after === 0 && table?.complete === false;
  if (table !== null && news.seq <= table.seq && !better) return table;
  const first = news.after === 0 ? null : table;
  if (first === null ? news.after !== 0 : news.after !== first.seq) return null;
  let next = first;
  for (const event of news.events) next = evolve(next, event, games);
  if (next === null) return null;
  return {
    ...next,
    seq: news.seq,
    stamp: news.stamp,
    lastPlay: first === null || news.events.some(movesGame) ? news.seq : next.lastPlay,
    phase: news.phase,
    awaited: news.awaited,
    times: news.times ?? null,
    waiting: news.waiting ?? [],
    outcome: news.outcome ?? null,
  };
}

function opened(event: Happening & { type: "opened" }): Table {
  return {
    id: event.table,
    game: event.game,
    seq: 0,
    stamp: 0,
    phase: "setup",
    options: event.options,
    seats: event.holders ?? Array.from({ length: event.seats }, () => null),
    host: event.host,
    start: event.start,
    clock: event.clock,
    times: null,
    awaited: [],
    outcome: null,
    ready: [],
    drawOffers: [],
    rematch: [],
    waiting: [],
    away: [],
    private: event.private,
    locked: event.password !== undefined,
    decor: event.decor ?? {},
    key: event.key === "" ? null : event.key,
    room: event.room ?? null,
    before: event.before ?? null,
    successor: null,
    opened: event.at,
    closed: false,
    closedWhy: null,
    oneChat: event.one_chat ?? false,
    leavers: {},
    positions: [],
    lastPlay: 0,
    complete: true,
    unfolded: false,
    talk: [],
    log: [],
  };
}

const without = <Item>(items: Item[], item: Item) => items.filter((other) => other !== item);
const withItem = <Item>(items: Item[], item: Item) => (items.includes(item) ? items : [...items, item]);

function evolve(table: Table | null, event: Happening, games: (name: string) => AnyGame | null): Table | null {
  if (event.type === "opened") return { ...opened(event), log: [event] };
  if (table === null) return null;
  const changed = applied(table, event, games);
  return { ...table, ...changed, log: [...table.log, event] };
}

function applied(table: Table, event: Happening, games: (name: string) => AnyGame | null): Partial<Table> {
  switch (event.type) {
    case "configured":
      return {
        options: event.options,
        clock: event.clock,
        start: event.start,
        private: event.private,
        decor: event.decor ?? table.decor,
        seats: event.holders?.length ? event.holders : table.seats,
        ready: [],
      };
    case "decorated":
      return { decor: event.decor };
    case "sat":
      return {
        seats: table.seats.with(event.seat, event.sitter),
        leavers: withoutLeaver(table, event.seat),
        ready: stillReady(table, table.ready),
        away: without(table.away, event.sitter.person),
      };
    case "bot_sat":
      return {
        seats: table.seats.with(event.seat, { kind: "bot", level: event.level, name: event.name }),
        leavers: withoutLeaver(table, event.seat),
        ready: stillReady(table, table.ready),
      };
    case "stood":
      return {
        seats: table.seats.with(event.seat, null),
        leavers: hasBegun(table) ? { ...table.leavers, [event.seat]: table.seats[event.seat]?.name ?? "" } : {},
        ready: stillReady(table, without(table.ready, event.seat)),
        drawOffers: without(table.drawOffers, event.seat),
        rematch: without(table.rematch, event.seat),
        away: event.person === null ? table.away : without(table.away, event.person),
      };
    case "swapped": {
      const { a, b } = event;
      const ready = table.ready.map((seat) => (seat === a ? b : seat === b ? a : seat));
      return {
        seats: table.seats.with(a, table.seats[b] ?? null).with(b, table.seats[a] ?? null),
        ready: stillReady(table, ready),
      };
    }
    case "host_changed":
      return { host: event.host };
    case "readied":
      return { ready: event.ready ? withItem(table.ready, event.seat) : without(table.ready, event.seat) };
    case "started":
      return { ...arranged(table, event.order ?? []), ...played(table, event, games(table.game)) };
    case "played":
      return played(table, event, games(table.game));
    case "taken_back":
      return { drawOffers: [], positions: stillStanding(table, table.positions, event) };
    case "draw_offered":
      return { drawOffers: withItem(table.drawOffers, event.seat) };
    case "draw_declined":
      return { drawOffers: [] };
    case "rematch_wanted":
      return { rematch: withItem(table.rematch, event.seat) };
    case "succeeded":
      return { successor: event.next };
    case "said":
      return { talk: [...table.talk, event] };
    case "dropped":
      return { away: withItem(table.away, event.person) };
    case "returned":
      return { away: without(table.away, event.person) };
    case "renamed":
      return {
        seats: table.seats.map((holder) =>
          holder?.kind === "person" && holder.person === event.person
            ? { ...holder, name: event.name, guest: event.guest ?? true }
            : holder,
        ),
      };
    case "woken": {
      if (event.cut_off) return { away: event.cut_off.reduce(withItem<string>, table.away) };
      const people = table.seats.flatMap((holder) => (holder?.kind === "person" ? [holder.person] : []));
      return { away: table.host === null ? people : withItem(people, table.host) };
    }
    case "closed":
      return {
        closed: true,
        closedWhy: event.why,
        drawOffers: [],
      };
    default:
      return {};
  }
}

function hasBegun({ positions, unfolded }: Table): boolean {
  return positions.length > 0 || unfolded;
}

function withoutLeaver({ leavers }: Table, seat: Seat): Table["leavers"] {
  return Object.fromEntries(Object.entries(leavers).filter(([left]) => Number(left) !== seat));
}

/** Who has approved of a table has approved of that one: with other people it is another. */
function stillReady(table: Table, ready: Seat[]): Seat[] {
  return table.start === "approval" ? [] : ready;
}

function arranged(table: Table, order: readonly Seat[]): Partial<Table> {
  if (order.length === 0) return {};
  return {
    seats: order.map((before) => table.seats[before] ?? null),
    ready: order.flatMap((before, seat) => (table.ready.includes(before) ? [seat] : [])),
  };
}

export type Play = Happening & { type: "started" | "played" };

function played(table: Table, event: Play, game: AnyGame | null): Partial<Table> {
  const drawOffers = offersAfter(table.drawOffers, event, game);
  if (game === null || table.unfolded) return { drawOffers, unfolded: true };
  return { positions: [...table.positions, positionAfter(table.positions.at(-1), event, game)], drawOffers };
}

function seatIn(event: Play): Seat | null {
  return event.type === "played" ? (event.seat ?? null) : null;
}

function offersAfter(offers: Seat[], event: Play, game: AnyGame | null): Seat[] {
  const seat = seatIn(event);
  const kept = seat === null || game?.keepsOffers?.(event.events) === true;
  return kept ? offers : offers.filter((offerer) => offerer === seat);
}

function positionAfter(before: Position | undefined, event: Play, game: AnyGame): Position {
  const why = event.type === "played" ? (event.why ?? "acted") : "acted";
  return { ...reached(game, before?.state ?? null, event.events), seat: seatIn(event), why, at: event.at };
}

/** What some events make of a position, and how things stood between them. */
export function reached(
  game: AnyGame,
  before: unknown,
  events: readonly unknown[],
): Pick<Position, "state" | "events" | "between"> {
  let state = before;
  const between: unknown[] = [];
  for (const [index, event] of events.entries()) {
    if (index > 0) between.push(state);
    state = game.evolve(state, event);
  }
  return { state, events, between };
}

type TakenBack = Happening & { type: "taken_back" };

/** The positions that stand. Of a picture nobody knows what was before it: another one follows, and replaces it. */
function stillStanding(table: Table, positions: Position[], { moves }: TakenBack): Position[] {
  return table.complete ? positions.slice(0, moves + 1) : positions;
}

/** Whether what may be done is another thing after this. */
function movesGame(event: Happening): boolean {
  return isPlay(event) || event.type === "taken_back";
}

export function isPlay(event: Happening): event is Play {
  return event.type === "started" || event.type === "played";
}

/** How far the log of a table has been folded, and what that gave. */
export interface Folded {
  /** How many entries of the log. */
  length: number;
  positions: Position[];
  drawOffers: Seat[];
}

/** Before anything is folded. What a picture showed stays; the log says what happened after it. */
export function nothingFolded(table: Table): Folded {
  return { length: 0, positions: table.complete ? [] : table.positions.slice(0, 1), drawOffers: [] };
}

/** More of the log, with so many moves at most. */
export function foldedOn(table: Table, folded: Folded, game: AnyGame, most: number): Folded {
  let { length, drawOffers } = folded;
  let positions = [...folded.positions];
  for (let moves = 0; length < table.log.length && moves < most; length++) {
    const event = table.log[length]!;
    if (isPlay(event)) {
      positions.push(positionAfter(positions.at(-1), event, game));
      drawOffers = offersAfter(drawOffers, event, game);
      moves++;
    } else {
      if (event.type === "taken_back") positions = stillStanding(table, positions, event);
      // Which offers still stand follows from the rules, too.
      drawOffers = applied({ ...table, drawOffers }, event, () => game).drawOffers ?? drawOffers;
    }
  }
  return { length, positions, drawOffers };
}

/** The table with all its positions, once its log is folded to the end. */
export function withFolded(table: Table, { positions, drawOffers }: Folded): Table {
  return { ...table, unfolded: false, positions, drawOffers: table.complete ? drawOffers : table.drawOffers };
}

export function seatOf(table: Table, person: string | undefined): Seat | null {
  const seat = table.seats.findIndex((holder) => holder?.kind === "person" && holder.person === person);
  return seat < 0 ? null : seat;
}

/** What happened in one step of the game, and how things stood after each of it. */
export function stepsOf({ events, between, state }: Position): { event: unknown; after: unknown }[] {
  return events.map((event, at) => ({ event, after: between[at] ?? state }));
}

/** How often this seat has acted, as far as is known here. */
export function actsOf(table: Table, seat: Seat): number {
  return table.positions.filter((position, at) => at > 0 && position.seat === seat && position.why === "acted").length;
}
