/** What both directions of the web door speak of. Mirrors gamut.hall; times are milliseconds since 1970. */

export type Seat = number;

export type ClockSetting =
  | { kind: "none" }
  | { kind: "turn"; limit: number }
  | { kind: "bank"; main: number; increment?: number }
  | { kind: "overtime"; main: number; length: number; periods: number; increment?: number };

export interface Time {
  main: number;
  overtime: number;
  periods: number;
}

export interface Clock {
  setting: ClockSetting;
  times: Time[];
  running: Seat[];
  since: number;
}

export type Inability = "ready" | "start" | "rematch" | "follow" | "swap";

export interface Sitter {
  kind: "person";
  person: string;
  name: string;
  guest: boolean;
  keeps: boolean;
  /** What the program that they play with has no word for. */
  cannot?: Inability[];
}

export interface BotSitter {
  kind: "bot";
  level: string;
  name: string;
}

export type Holder = Sitter | BotSitter;
export type Phase = "setup" | "playing" | "paused" | "over";
export type StartRule = "full" | "ready" | "host" | "approval";
export type Room = "table" | "kibitz";

export interface Outcome {
  winners: Seat[];
  reason: string;
  scores: number[] | null;
  /** Seat by seat, 1 for the first, where a game has more than winners; equals share a place. */
  places?: number[] | null;
}

export interface Summary {
  id: string;
  game: string;
  phase: Phase;
  seats: (Holder | null)[];
  host: string | null;
  options: Record<string, unknown>;
  clock: ClockSetting;
  start: StartRule;
  opened: number;
  changed: number;
  private?: boolean;
  room?: string | null;
  waiting?: boolean;
  outcome?: Outcome | null;
  locked?: boolean;
  guards_watching?: boolean;
  watchable?: boolean;
}

export interface Level {
  name: string;
  title: string;
  /** What its bots are called, where they have names of their own. */
  names?: string[];
}

/** A game as /api/games describes it. */
export interface GameTraits {
  name: string;
  title: string;
  summary: string;
  seats: number[];
  seat_names: string[];
  levels: Level[];
  hidden: boolean;
  /** What was hidden is public once the game is over. */
  reveals?: boolean;
  chance: boolean;
  draw_offers: boolean;
  /** Bots take or decline a draw; otherwise none is offered where one plays. */
  bots_answer_draws?: boolean;
  resigning: boolean;
  /** A move may be taken back, where all others are bots. */
  takes_back?: boolean;
  leaver: "waits" | "quits";
  fewest: number | null;
  suspends: boolean;
  /** Before the start the host may swap what two seats hold. */
  arrangeable?: boolean;
  options: JsonSchema;
  defaults: Record<string, unknown>;
  /** How many seats a table with those may have. */
  default_seats: number[];
}

export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  type?: string;
  enum?: (string | number)[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  maxLength?: number;
  default?: unknown;
}

export interface Person {
  id: string;
  name: string;
  guest: boolean;
  created: number;
  seen: number;
}
