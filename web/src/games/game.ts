import type { Component } from "svelte";

import type { Layout, Mark, Piece } from "../lib/board/scene.ts";
import type { Seat } from "../lib/wire/types.ts";

/** What the page must know to show one game. Generic code meets games through this and never names one. */
export interface GameView<State = unknown, Event = unknown, Action = unknown> {
  /** The same fold as the server's: what a viewer was shown gives what a viewer knows. */
  evolve(state: State | null, event: Event): State;
  awaited(state: State): Seat[];
  legal(state: State, seat: Seat): Action[];

  /** The board before anything was played. */
  start: State;
  /** A position to show where there is no game yet. */
  example: State;

  /** From how many sides the board can be looked at: 1 where turning it would help nobody. */
  sides: number;
  layout(state: State, side: number): Layout;
  pieces(state: State, side: number): Piece[];
  marks(state: State, last: readonly Event[]): Mark[];
  /** The square an action is chosen by, and what it will look like before it is sent. */
  target(action: Action): string;
  preview(state: State, seat: Seat, action: Action, side: number): Piece;
  describe(state: State, square: string): string;

  /** One line for the list of moves, and one to be read aloud. */
  notation(event: Event): string | null;
  announcement(event: Event): string | null;
  /** Moments worth a mark on the review's slider. */
  dramatic(event: Event, after: State): boolean;

  reasons: Record<string, string>;
  /** How to play, in short, in pictures, and in full. */
  rules: { short: string[]; pictures: { state: State; text: string }[]; full: string[] };
  Surface: Component<{ layout: Layout }>;
  PieceShape: Component<{ piece: Piece }>;
  SeatSign: Component<{ seat: Seat; size?: number }>;
}

/** A game of any kind: states, events and actions are opaque outside its own folder. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each game knows its own types, the rest of the page none
export type AnyGame = GameView<any, any, any>;
