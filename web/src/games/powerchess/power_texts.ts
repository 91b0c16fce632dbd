import type { PowerName } from "./rules.ts";

export interface PowerWords {
  /** One sentence: what it does. */
  does: string;
  /** What is to be picked for it; null if nothing is. */
  asks: string | null;
}

/** What each power does; *this piece* is the one that took the box. */
export const powerWords: Readonly<Record<PowerName, PowerWords>> = {
  adjust: {
    does: "This piece steps to a free square beside it.",
    asks: "Pick a free square beside this piece.",
  },
  rewind: {
    does: "Your opponent's last move is taken back, if its way back is free; captures stay.",
    asks: null,
  },
  second_effort: {
    does: "This piece moves once more, and may capture or take another box.",
    asks: "Pick where this piece moves.",
  },
  shield: {
    does: "This piece cannot be captured for 6 moves, or until it captures.",
    asks: null,
  },
  swap: {
    does: "This piece changes places with another one of yours.",
    asks: "Pick the piece to change places with.",
  },
  black_hole: {
    does: "Nothing can land on one free square for 12 moves.",
    asks: "Pick a free square.",
  },
  energize: {
    does: "For 10 moves your pawns go any distance along their files, forward and back.",
    asks: null,
  },
  eye_for_an_eye: {
    does: "This piece and an enemy worth no more are both destroyed.",
    asks: "Pick the enemy.",
  },
  safety_net: {
    does: "Instead of being captured, this piece goes back to your first rank, once.",
    asks: null,
  },
  send_away: {
    does: "Any piece you choose goes to a free square of its own first rank.",
    asks: "Pick the piece.",
  },
  armageddon: {
    does: "All pawns are destroyed, and no king can be captured for 4 moves.",
    asks: null,
  },
  awaken: {
    does: "This piece is a queen for 8 moves, and cannot be captured for the first 2.",
    asks: null,
  },
  clone: {
    does: "Another piece like this one comes onto your first rank.",
    asks: null,
  },
  reanimate: {
    does: "One of your captured pieces, drawn by lot, comes back onto your first rank.",
    asks: null,
  },
};
