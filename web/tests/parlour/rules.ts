import type { Seat } from "../../src/lib/wire/types.ts";

/** Parlour as the page knows it: what was shown gives what is known. The rules are the server's alone. */
export interface ParlourState {
  hands: number[][];
  laid: (number | null)[];
  spent: number[];
  scores: number[];
  left: boolean[];
  chooser: Seat | null;
  agreed?: boolean;
  /** The cards that were turned over last, until somebody goes on. */
  turned?: (number | null)[] | null;
}

export type ParlourEvent =
  | { type: "began"; seats: number }
  | { type: "dealt"; seat: Seat; cards: number[] }
  | { type: "laid"; seat: Seat; card: number }
  | { type: "revealed"; cards: (number | null)[] }
  | { type: "taken"; seat: Seat }
  | { type: "traded"; seat: Seat; gave: number; drew: number }
  | { type: "left"; seat: Seat }
  | { type: "agreed" };

export type ParlourAction = { type: "lay"; card: number } | { type: "take" } | { type: "trade"; card: number };

/** A card whose face one does not see. */
export const UNSEEN = 0;

export function begun(seats: number): ParlourState {
  const each = <Item>(item: Item): Item[] => Array.from({ length: seats }, () => item);
  return { hands: each([]), laid: each(null), spent: [], scores: each(0), left: each(false), chooser: null };
}

export function evolve(before: ParlourState | null, event: ParlourEvent): ParlourState {
  if (event.type === "began") return begun(event.seats);
  const state = { ...before!, turned: null };
  switch (event.type) {
    case "dealt":
      return { ...state, hands: state.hands.with(event.seat, event.cards) };
    case "laid":
      return {
        ...state,
        hands: state.hands.with(event.seat, without(state.hands[event.seat]!, event.card)),
        laid: state.laid.with(event.seat, event.card),
      };
    case "revealed": {
      const seen = event.cards.filter((card) => card !== null);
      return {
        ...state,
        laid: event.cards.map(() => null),
        spent: [...state.spent, ...seen],
        chooser: event.cards.indexOf(Math.max(...seen)),
        turned: event.cards,
      };
    }
    case "taken":
      return { ...state, scores: state.scores.with(event.seat, state.scores[event.seat]! + 1), chooser: null };
    case "traded": {
      const hand = [...without(state.hands[event.seat]!, event.gave), event.drew].sort((one, other) => one - other);
      return { ...state, hands: state.hands.with(event.seat, hand), spent: [...state.spent, event.gave], chooser: null };
    }
    case "left": {
      const back = state.laid[event.seat] ?? null;
      const hand = state.hands[event.seat]!;
      return {
        ...state,
        hands: state.hands.with(event.seat, back === null ? hand : [...hand, back]),
        laid: state.laid.with(event.seat, null),
        left: state.left.with(event.seat, true),
        chooser: state.chooser === event.seat ? null : state.chooser,
      };
    }
    case "agreed":
      return { ...state, agreed: true };
  }
}

function without(hand: number[], card: number): number[] {
  return hand.toSpliced(hand.indexOf(card), 1);
}
