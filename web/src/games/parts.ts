import type { Component } from "svelte";

import type { Fetched } from "../lib/fetched.ts";
import type { Table } from "../lib/hall/table.ts";
import type { FromClient } from "../lib/wire/from_client.ts";
import type { ClockSetting, GameTraits, Seat } from "../lib/wire/types.ts";

/** Something beside the board: a score sheet, what was captured, what lasts. */
export interface GamePanel<State = unknown> {
  /** One word, of which no other panel of the game has the same. */
  id: string;
  title: string;
  /** Read now and then: a tab, however much room there is, and not open before somebody asks for it. */
  tab?: true;
  /** The panel itself, or how it is fetched when it is first to be seen. */
  Panel: Component<PanelProps<State>> | Fetched<Component<PanelProps<State>>>;
}

export interface PanelProps<State = unknown> {
  state: State;
  /** The seat through whose eyes the game is seen; null for somebody who only watches. */
  viewer: Seat | null;
  table: Table;
}

export interface AtSeatProps<State = unknown> {
  state: State;
  seat: Seat;
}

export interface OptionsFormProps {
  traits: GameTraits;
  options: Readonly<Record<string, unknown>>;
  /** All options as they are wanted from now on. */
  onchange(options: Record<string, unknown>): void;
}

export interface BeforeStartProps {
  table: Table;
  viewer: Seat | null;
  /** Whether the one in front of the page is the host. */
  host: boolean;
  /** Asks the server for something at this table; what it refuses is said. */
  ask(message: FromClient): Promise<boolean>;
}

/** A clock that players know by name. */
export interface NamedClock {
  text: string;
  clock: ClockSetting;
}

/** A good way to play, chosen at one touch; what it does not say is as the game usually is. */
export interface Preset {
  text: string;
  /** What it is like, where that is more than its options say. */
  hint?: string;
  options?: Readonly<Record<string, unknown>>;
  seats?: number;
  clock?: ClockSetting;
}

/** An option that the server would not take as it is. */
export interface Unfit {
  option: string;
  why: string;
}

/** What a game may bring along around its board. */
export interface GameParts<State = unknown> {
  /** Tabs, or a column of their own where the board leaves room for one. */
  panels?: readonly GamePanel<State>[];
  /** What stands at each seat, in a line, where there is room for it: what was captured, what lasts. */
  AtSeat?: Component<AtSeatProps<State>> | Fetched<Component<AtSeatProps<State>>>;
  /** Whether it matters with these options who sits where, in games in which that can be arranged; without it always. */
  seatsMatter?(options: Readonly<Record<string, unknown>>): boolean;
  /** A form for the options, in place of the one that is made from their schema. */
  OptionsForm?: Component<OptionsFormProps> | Fetched<Component<OptionsFormProps>>;
  /** What kind of game it is to be, with pictures or the like: the first thing to choose, in place of presets. */
  Kinds?: Component<OptionsFormProps> | Fetched<Component<OptionsFormProps>>;
  /** Two to four ways to play, with which the form for a new table begins; the first of them is the usual one. */
  presets?: readonly Preset[];
  /** What the server would refuse of these options although each of them is allowed: said before they are sent. */
  unfit?(options: Readonly<Record<string, unknown>>): Unfit | null;
  /** Clocks to choose by name, before all others. */
  clocks?: readonly NamedClock[];
  /** What is to be arranged before the game begins, beyond seats, settings and the usual buttons. */
  BeforeStart?: Component<BeforeStartProps>;
  /** How many may sit at a table with these options, where that follows from them: fewest first, as at the server. */
  seatsFor?(options: Readonly<Record<string, unknown>>): readonly number[];
}
