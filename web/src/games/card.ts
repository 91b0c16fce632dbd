import type { Component } from "svelte";

import type { Seat } from "../lib/wire/types.ts";
import type { AnyGame } from "./game.ts";

/** A game's shape in a box from 0 to 10, and its colour where no style sheet reaches, as in the page's icon. */
export interface GameSign {
  game: string;
  shape: string;
  /** Six hexadecimal digits after a #. The accent on the page is in the game's `accent.css`. */
  colour: string;
}

export interface GameFiles {
  /** How their names end. */
  endings: string[];
  /** Where the server says what is in one, and where it opens a table to go on with one, if it does. */
  read: string;
  resume?: string;
  /** What a table's game is called as a file, and what the link to it says. */
  finished: { name: string; text: string };
  suspended?: { name: string; text: string };
}

/** What somebody dropped or pasted as text: a game as it stands in a file of this name, or options for a new table. */
export type Brought = { file: string } | { options: Record<string, unknown> };

/** What lists of tables show of a game. It is part of the first page: keep it small, and import nothing large. */
export interface GameFace<State = unknown> {
  title: string;
  /** What the game is, in a sentence. */
  summary: string;
  /** What a seat is called, where that is a word. */
  seatName?(seat: Seat): string | undefined;
  SeatSign: Component<{ seat: Seat; size?: number }>;
  /** The seat whose colour and sign a seat has, if not its own: partners may share one. */
  colour?(seat: Seat, options: Record<string, unknown>, state: State | null): Seat;
  /** What somebody who looks for a table should know of its options, in a few words each. */
  gist?(options: Record<string, unknown>): string[];
  /** Games in files of a format of their own, where there is one. */
  files?: GameFiles;
  /** What a text is to this game that was dropped on the page or pasted; null if it means nothing here. */
  brought?(text: string): Brought | null;
}

/** A game as the page knows it before anybody looks at a board of it. */
export interface GameCard {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each game knows its own states, the rest of the page none
  face: GameFace<any>;
  /** Fetches the rest. */
  load(): Promise<AnyGame>;
}
