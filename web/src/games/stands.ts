import type { Seat } from "../lib/wire/types.ts";

/** What one side has of what the game is about: its part of the bar beside the board, and of the graph in a review. */
export interface Share {
  /** Whose it is; partners have it in common, and nobody has what is still to be had. */
  seats: readonly Seat[];
  /** How much it is, compared with the others. */
  share: number;
  /** The same in words: "12 tiles". */
  words: string;
}
