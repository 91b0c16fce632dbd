import type { GameView } from "../../src/games/game.ts";
import type { Highlight } from "../../src/lib/board/scene.ts";
import Cards from "./Cards.svelte";
import { faceWords } from "./face_texts.ts";
import Felt from "./Felt.svelte";
import { cardOf, layout, pieces, placeOf } from "./layout.ts";
import { begun, evolve, type ParlourAction, type ParlourEvent, type ParlourState } from "./rules.ts";
import SeatSign from "./SeatSign.svelte";
import { words } from "./texts.ts";

const EXAMPLE: ParlourState = {
  ...begun(2),
  hands: [
    [0, 0, 0],
    [0, 0, 0],
  ],
  turned: [7, 19],
  chooser: 1,
};

/**
 * The card game of the tests: hands that only their owner sees, cards that all lay at once, and a choice that is no
 * square. What may be done is asked of the server: there are no rules here but the fold.
 */
/** How many may play, by mode. */
const SEATS: Record<string, number[]> = { free: [2, 3], duel: [2], trio: [3], solo: [1] };

export const parlour: GameView<ParlourState, ParlourEvent, ParlourAction> = {
  title: faceWords.title,
  summary: faceWords.summary,
  evolve,
  awaited: ({ chooser, laid, left }) =>
    chooser !== null ? [chooser] : [...laid.keys()].filter((seat) => laid[seat] === null && !left[seat]),
  start: begun(2),
  opening: (_, seats) => begun(seats),
  seatsFor: ({ mode }) => SEATS[String(mode)] ?? [2, 3],
  example: EXAMPLE,

  sides: 1,
  layout,
  pieces,
  highlights: (state, last) =>
    last.flatMap((event): Highlight[] => {
      if (event.type === "laid") return [{ kind: "last", squares: [placeOf(event.seat)], seat: event.seat }];
      if (event.type !== "revealed" || state.chooser === null) return [];
      return [{ kind: "win", squares: [placeOf(state.chooser)], seat: state.chooser }];
    }),
  describe: (state, square, _, viewer) => {
    if (square.startsWith("card-")) return words.hand;
    const seat = Number(square.slice("place-".length));
    const held = state.hands[seat]?.length ?? 0;
    const turned = state.turned?.[seat] ?? null;
    if (turned !== null) return words.turned(turned);
    const laid = state.laid[seat] ?? null;
    return laid === null ? words.nothing(held) : words.faceDown(seat === viewer ? laid : 0, held);
  },
  path: (action, _, seat) => {
    if (action.type === "take") return ["take"];
    return action.type === "trade" ? ["trade", cardOf(action.card)] : [cardOf(action.card), placeOf(seat)];
  },
  preview: (state, seat, action) => {
    if (action.type !== "lay") return [];
    return pieces(evolve(state, { ...action, type: "laid", seat }), 0, seat).filter(({ key }) => key === cardOf(action.card));
  },
  controlLabel: (pick) => words.controls[pick] ?? pick,
  keys: [
    { key: "t", text: words.keyTake, pick: () => "take" },
    { key: "r", text: words.keyTrade, pick: () => "trade" },
    ...[1, 2, 3, 4, 5, 6].map((number) => ({
      key: String(number),
      text: words.keyCard,
      pick: (state: ParlourState, viewer: number) => {
        const card = state.hands[viewer]?.[number - 1];
        return card === undefined ? null : cardOf(card);
      },
    })),
  ],

  standing: ({ scores, left }, seat) => ({ words: words.points(scores[seat] ?? 0), out: left[seat] === true }),
  notation: (event) => {
    switch (event.type) {
      case "laid":
        return words.laysShort(event.card);
      case "revealed":
        return words.reveals(event.cards);
      case "taken":
        return words.takesShort;
      case "traded":
        return words.tradesShort(event.gave);
      case "left":
        return words.leaves;
      case "agreed":
        return words.agreed;
      default:
        return null;
    }
  },
  announcement: (event, _, name) => {
    switch (event.type) {
      case "laid":
        return words.lays(event.card);
      case "revealed":
        return words.allTurned(event.cards);
      case "taken":
        return words.takes;
      case "traded":
        return words.trades(event.gave);
      default:
        return parlour.notation(event, EXAMPLE, name);
    }
  },
  dramatic: (event) => event.type === "traded" || event.type === "left",

  reasons: words.reasons,
  rules: { short: words.short, pictures: [{ state: EXAMPLE, text: words.picture }], full: words.full },
  Surface: Felt,
  PieceShape: Cards,
  SeatSign,
};
