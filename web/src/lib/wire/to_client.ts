import type { Happening, Said } from "./happenings.ts";
import type { Clock, ClockSetting, Holder, Outcome, Phase, Seat, StartRule, Summary } from "./types.ts";

export interface Welcome {
  type: "welcome";
  person: string;
  name: string;
  guest: boolean;
  now: number;
  protocol: number;
  tables?: string[];
}

/** What one is called from now on, asked for here or on another device. */
export interface Renamed {
  type: "renamed";
  name: string;
}

export interface LobbyPicture {
  type: "lobby";
  now: number;
  tables: Summary[];
  here: number;
  said: Said[];
  /** It was not asked for, and is answered by nothing: what was told before may not be true any more. */
  anew?: boolean;
}

export interface LobbyChanged {
  type: "lobby_changed";
  here: number;
  changed?: Summary[];
  gone?: string[];
  said?: Said[];
}

export interface TablePicture {
  type: "table";
  table: string;
  seq: number;
  stamp: number;
  now: number;
  game: string;
  phase: Phase;
  options: Record<string, unknown>;
  seats: (Holder | null)[];
  you: Seat | null;
  host: string | null;
  start: StartRule;
  clock: ClockSetting;
  times: Clock | null;
  awaited: Seat[];
  state: unknown;
  opened: number;
  watchers: number;
  outcome?: Outcome | null;
  ready?: Seat[];
  draw_offers?: Seat[];
  rematch?: Seat[];
  waiting?: Seat[];
  away?: string[];
  private?: boolean;
  locked?: boolean;
  guards_watching?: boolean;
  watchable?: boolean;
  one_chat?: boolean;
  decor?: Record<string, unknown>;
  key?: string | null;
  room?: string | null;
  before?: string | null;
  successor?: string | null;
  /** What one may see of the whole game has changed, also of what is past: ask for all of it again. */
  anew?: boolean;
}

export interface Events {
  type: "events";
  table: string;
  after: number;
  seq: number;
  /** Tells event `seq` from any other that could ever have its number. */
  stamp: number;
  now: number;
  phase: Phase;
  awaited: Seat[];
  events: Happening[];
  times?: Clock | null;
  waiting?: Seat[];
  outcome?: Outcome | null;
}

export interface Watcher {
  person: string;
  name: string;
}

export interface Watchers {
  type: "watchers";
  table: string;
  count: number;
  /** Of a crowd, those who came first. */
  people: Watcher[];
}

export interface Moved {
  type: "continued";
  table: string;
  to: string;
}

/** What one may do, as of event `seq`. */
export interface Legal {
  type: "legal";
  table: string;
  seq: number;
  actions: unknown[];
  id?: number;
}

export interface Opened {
  type: "opened";
  table: string;
  key: string;
  id?: number;
}

export interface ErrorMessage {
  type: "error";
  code: string;
  message: string;
  id?: number;
}

/** What the server says at the web door (gamut.doors.web.to_client). */
export type ToClient =
  | Welcome
  | Renamed
  | { type: "ok"; id: number }
  | ErrorMessage
  | { type: "pong"; now: number; id?: number }
  | { type: "bye"; why: string }
  | LobbyPicture
  | LobbyChanged
  | Opened
  | Legal
  | TablePicture
  | Events
  | Watchers
  | Moved;
