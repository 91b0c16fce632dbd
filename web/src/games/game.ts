import type { Component } from "svelte";

import type { Pick } from "../lib/board/picks.ts";
import type { Highlight, Layout, Piece } from "../lib/board/scene.ts";
import type { Fetched } from "../lib/fetched.ts";
import type { Seat } from "../lib/wire/types.ts";
import type { GameFace } from "./card.ts";
import type { Lesson } from "./lesson.ts";
import type { GameParts } from "./parts.ts";
import type { Share } from "./stands.ts";

export interface OptionWords {
  title: string;
  hint?: string;
  choices?: Record<string, string>;
  /** What to choose from where the option is more than a word or a number. */
  presets?: { value: unknown; text: string }[];
}

export interface Standing {
  words: string | null;
  /** What the figure is of, where it does not say so itself: seen where there is room for it, and always read aloud. */
  title?: string;
  /** One word more, seen where there is room for all of it. */
  note?: string;
  out: boolean;
}

export type LostWhy = "resigned" | "time" | "left";

/** What whoever chooses has in the hands: what was picked so far, and how to pick more and take it back. */
export interface Hands<State = unknown> {
  state: State;
  viewer: Seat;
  /** All that was picked so far, squares too. */
  picks: readonly Pick[];
  pick(pick: Pick): void;
  /** Take the last pick back. */
  undo(): void;
}

/**
 * A key of a game's own: it picks something, if that can be picked just now, changes what was picked so far, or does
 * something on the page alone.
 */
export type GameKey<State = unknown> = {
  /** As the browser names it (`KeyboardEvent.key`); letters mean the same with and without Shift. */
  key: string;
  /** What the help says of it. */
  text: string;
} & ({ pick(state: State, viewer: Seat): Pick | null } | { use(hands: Hands<State>): void } | { run(): void });

/** What a game's own controls get: what there is to pick, and what was picked so far. */
export interface ControlsProps<State = unknown> extends Hands<State> {
  /** The controls that can be picked now; those that were picked are among them, until they are taken back. */
  choices: readonly Pick[];
  name(seat: Seat): string;
}

export interface Palette {
  /** Six hexadecimal digits after a #. */
  usual: string[];
  read(decor: Record<string, unknown>): string[] | null;
  write(colours: string[] | null): Record<string, unknown>;
  /** What each colour is of, for people. */
  name(index: number): string;
  hint: string;
}

/** A position of which something is to be said, and how it is after what happens there, if anything does. */
export interface RulePicture<State = unknown, Event = unknown> {
  state: State;
  /** What happens: the position is shown before it and after it. */
  then?: readonly Event[];
  text: string;
  /** Through whose eyes, where something is hidden. */
  viewer?: Seat;
  /** Two squares in opposite corners of what is to be seen, where that is not the whole board. */
  crop?: readonly [string, string];
}

/** How to play, in short, in pictures, with cards of the game's own where it has any, and in full. */
export interface Rules<State = unknown, Event = unknown> {
  short: string[];
  pictures: RulePicture<State, Event>[];
  Cards?: Component;
  full: string[];
}

/** What the page must know to show one game. Generic code meets games through this and never names one. */
export interface GameView<State = unknown, Event = unknown, Action = unknown> extends GameFace<State>, GameParts<State> {
  /** The same fold as the server's: what a viewer was shown gives what a viewer knows. */
  evolve(state: State | null, event: Event): State;
  awaited(state: State): Seat[];
  /** Whether draw offers made to a seat still stand after what it did; without this, they do not. */
  keepsOffers?(events: readonly Event[]): boolean;
  /** What a seat may do. A game that does not say it here is asked at the server, so that it has one engine only. */
  legal?(state: State, seat: Seat): Action[];

  /**
   * What an action brings, where that follows from the rules alone: then whoever reviews a game can try other moves.
   * Asked only of what `legal` offers.
   */
  play?(state: State, seat: Seat, action: Action): Event[];
  /**
   * The same for games whose rules only the server knows: it plays them on, and must be told all that was done, and in
   * games with chance what came of it. Says which action an event came of; null for what nobody did.
   */
  analysed?: { action(event: Event, before: State): Action | null };

  /** The board before anything was played, as far as the options change it. */
  start: State;
  opening?(options: Record<string, unknown>, seats: number): State;
  /** A position to show where there is no game yet. */
  example: State;

  /** From how many sides the board can be looked at: 1 where turning it would help nobody. */
  sides: number;
  /** The side from which somebody sees the board first; without this, the first one. */
  sideOf?(viewer: Seat | null): number;
  /** What is drawn may depend on who looks: the viewer is a seat, or null for everybody else. */
  layout(state: State, side: number, viewer: Seat | null): Layout;
  pieces(state: State, side: number, viewer: Seat | null): Piece[];
  highlights(state: State, last: readonly Event[], viewer: Seat | null): Highlight[];
  /** Where the end of the game is to be seen, if no square is highlighted as won: the last tile, the king who fell. */
  decisive?(state: State, last: readonly Event[]): readonly string[];
  describe(state: State, square: string, name: (seat: Seat) => string, viewer: Seat | null): string;
  /**
   * The picks by which an action is chosen, one after the other: squares, and controls for whatever is no square. At
   * least one; no two actions have the same path. Where one path begins another, the shorter one is ended by "Done".
   */
  path(action: Action, state: State, seat: Seat): readonly Pick[];
  /** Further paths to the same action, where it can be chosen in several places: in a hand, and on the board. */
  otherPaths?(action: Action, state: State, seat: Seat): readonly (readonly Pick[])[];
  /** What an action will look like before it is sent: pieces that come, or those of the board at another place. */
  preview(state: State, seat: Seat, action: Action, side: number): readonly Piece[];
  /** What somebody who points at a square should know, whether they may play there or not. */
  foresee?(state: State, viewer: Seat | null, square: string): Highlight[];
  /** What whoever has picked this square should see of the others. */
  whileHeld?(state: State, square: string): Highlight[];
  /** What is special about a square, in words for somebody who points at it; null if nothing is. */
  explain?(state: State, square: string): string | null;
  /**
   * The positions in between, where what happened is to be seen step by step: at most so many. Without it, a move of
   * several events is seen event by event.
   */
  steps?(before: State, events: readonly Event[], most: number): State[];
  /** How high the click is that goes with a position in between, in steps of a scale; null for none. */
  heard?(state: State): number | null;
  /** What a control is called. A game that has any says it, or draws them itself. */
  controlLabel?(pick: Pick, state: State, viewer: Seat): string;
  Controls?: Component<ControlsProps<State>> | Fetched<Component<ControlsProps<State>>>;
  keys?: readonly GameKey<State>[];
  /** What the button says that sends what was picked, where "Place it" would be wrong. */
  confirm?: string;

  /** The number of a seat's team from 0, where some play together (`teamLetter`). Before the game the state is null. */
  team?(seat: Seat, options: Record<string, unknown>, state: State | null): number | null;
  /** How a seat fares, in a word or two, and whether it is out of the game. */
  standing?(state: State, seat: Seat): Standing;

  /**
   * How the game stands as a whole, as the bar beside the board shows it: in the order of the seats, nobody's last, and
   * always of as many sides. Only what everybody may know goes into it.
   */
  shares?(state: State): readonly Share[];

  /** One line for the list of moves, and one to be read aloud; `after` is how things stood then. */
  notation(event: Event, after: State, name: (seat: Seat) => string): string | null;
  announcement(event: Event, after: State, name: (seat: Seat) => string): string | null;
  /** Moments worth a mark on the review's slider. */
  dramatic(event: Event, after: State): boolean;

  /** Whether somebody may resign as the game stands; without it always, if the game has resigning. */
  mayResign?(state: State, seat: Seat): boolean;
  reasons: Record<string, string>;
  /** Who gave the game up, or was out of time, where it ended by that; `last` is what happened last. */
  lostBy?(last: readonly Event[]): { seat: Seat; why: LostWhy } | null;
  /** Who ended the game, and why, where the last position says more than the reason does. */
  ended?(state: State, name: (seat: Seat) => string): string | null;
  /** What to ask before somebody leaves a running game or resigns, where the usual question would not be true. */
  questions?: { leave: string; resign: string };
  /** Where a game that was played before goes on, if this table is one for that. */
  resumed?(decor: Record<string, unknown>): State | null;
  /** The colours that a host can choose: first of what is nobody's, then of each seat or team; null for the usual ones. */
  palette?: Palette;
  /** Words for the options that need any; null for what is not asked of people. */
  options?: Record<string, OptionWords | null>;
  /** How to play; fetched when somebody asks, where it is long. */
  rules: Rules<State, Event> | Fetched<Rules<State, Event>>;
  /** A first lesson: a few small positions to play through. */
  lesson?: Fetched<Lesson>;
  Surface: Component<{ layout: Layout }>;
  PieceShape: Component<{ piece: Piece }>;
  /** What is on its way in a position in between, above the pieces; the position is seen for `lasts` milliseconds. */
  Motion?: Component<{ state: State; layout: Layout; lasts: number }>;
}

/** A game of any kind: states, events and actions are opaque outside its own folder. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each game knows its own types, the rest of the page none
export type AnyGame = GameView<any, any, any>;
