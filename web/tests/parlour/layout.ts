import type { Layout, Piece, Square } from "../../src/lib/board/scene.ts";
import type { Seat } from "../../src/lib/wire/types.ts";
import { UNSEEN, type ParlourState } from "./rules.ts";
import { words } from "./texts.ts";

export const CARD = { width: 84, height: 116 };
const SMALL = 0.42;
const PITCH = 100;
const COLUMNS = 6;
const RIM = 20;
const WIDTH = COLUMNS * PITCH + 2 * RIM;
/** Middles of the rows: what the others hold, what lies before them, what lies before the viewer, and the own hand. */
const ROWS = { theirs: 40, others: 140, mine: 280, hand: 430 };

/** The columns of the places in the upper row, by how many there are. */
const ACROSS: Record<number, number[]> = { 1: [2.5], 2: [1, 4], 3: [0.5, 2.5, 4.5] };

function outline(x: number, y: number): string {
  const [left, top, corner] = [x - CARD.width / 2, y - CARD.height / 2, 8];
  const [across, down] = [CARD.width - 2 * corner, CARD.height - 2 * corner];
  const arc = (to: string) => `a${corner} ${corner} 0 0 1 ${to}`;
  return `M${left + corner} ${top}h${across}${arc("8 8")}v${down}${arc("-8 8")}h${-across}${arc("-8 -8")}v${-down}${arc("8 -8")}z`;
}

const columnAt = (column: number) => RIM + (column + 0.5) * PITCH;

function square(id: string, row: number, column: number, y: number, name: string): Square {
  const x = columnAt(column);
  return { id, row, column: Math.round(column), x, y, outline: outline(x, y), name };
}

export const placeOf = (seat: Seat) => `place-${seat}`;
export const cardOf = (card: number) => `card-${card}`;

function others(state: ParlourState, viewer: Seat | null): Seat[] {
  return state.hands.map((_, seat) => seat).filter((seat) => seat !== viewer);
}

export function layout(state: ParlourState, _side: number, viewer: Seat | null): Layout {
  const seats = others(state, viewer);
  const across = ACROSS[seats.length] ?? [];
  const squares = seats.map((seat, at) => square(placeOf(seat), 0, across[at]!, ROWS.others, words.place(seat)));
  if (viewer !== null) {
    const hand = state.hands[viewer] ?? [];
    squares.push(square(placeOf(viewer), 1, 2.5, ROWS.mine, words.place(viewer)));
    const left = (COLUMNS - hand.length) / 2;
    for (const [at, card] of hand.entries()) {
      if (card === UNSEEN) continue;
      squares.push({ ...square(cardOf(card), 2, left + at, ROWS.hand, words.inHand(card)), column: at });
    }
  }
  return {
    width: WIDTH,
    height: viewer === null ? ROWS.others + CARD.height / 2 + RIM : ROWS.hand + CARD.height / 2 + RIM,
    squares,
    pageRows: 1,
    label: words.board,
  };
}

const kindOf = (card: number) => (card === UNSEEN ? "back" : "face");

export function pieces(state: ParlourState, _side: number, viewer: Seat | null): Piece[] {
  const squares = new Map(layout(state, 0, viewer).squares.map((each) => [each.id, each]));
  const found: Piece[] = [];
  for (const seat of state.hands.keys()) {
    const { x, y } = squares.get(placeOf(seat))!;
    const out = state.turned?.[seat] ?? state.laid[seat] ?? null;
    if (out !== null) {
      const faceDown = (state.turned ?? null) === null && seat !== viewer;
      found.push({
        // One's own card is the one that was in the hand; whose face one has not seen is the card of that place.
        key: seat === viewer ? cardOf(out) : `laid-${seat}`,
        kind: faceDown ? "back" : kindOf(out),
        seat,
        x,
        y,
        count: faceDown ? UNSEEN : out,
      });
    }
    for (const [at, card] of state.hands[seat]!.entries()) {
      const own = seat === viewer ? squares.get(cardOf(card)) : undefined;
      if (own !== undefined) found.push({ key: own.id, kind: "face", seat, x: own.x, y: own.y, count: card });
      else {
        const middle = x + (at - (state.hands[seat]!.length - 1) / 2) * CARD.width * SMALL * 0.8;
        found.push({ key: `held-${seat}-${at}`, kind: kindOf(card), seat, x: middle, y: ROWS.theirs, count: card, size: SMALL });
      }
    }
  }
  return found;
}
