const SEATS = ["Red", "Green", "Blue"];
const seat = (number: number) => SEATS[number] ?? "";
const card = (number: number) => (number === 0 ? "a card" : `the ${number}`);

export const words = {
  board: "Parlour, a card table",
  place: (number: number) => `${seat(number)}'s place`,
  inHand: (number: number) => `Your ${number}`,
  hand: "in your hand",
  nothing: (cards: number) => `no card, ${cards} in the hand`,
  faceDown: (number: number, cards: number) => `${card(number)}, face down, ${cards} in the hand`,
  turned: (number: number) => `${card(number)}, turned over`,
  laysShort: (number: number) => (number === 0 ? "lays" : `lays ${number}`),
  lays: (number: number) => `lays ${card(number)}`,
  reveals: (cards: (number | null)[]) => `(${cards.map((shown) => shown ?? "-").join(":")})`,
  allTurned: (cards: (number | null)[]) =>
    `all cards are turned over: ${cards.flatMap((shown, number) => (shown === null ? [] : [`${seat(number)} ${shown}`])).join(", ")}`,
  takesShort: "takes",
  takes: "takes the point",
  tradesShort: (gave: number) => (gave === 0 ? "trades" : `trades ${gave}`),
  trades: (gave: number) => `trades ${card(gave)}`,
  leaves: "leaves",
  agreed: "draw",
  points: (count: number) => `${count} ${count === 1 ? "point" : "points"}`,
  controls: { take: "Take the point", trade: "Trade a card" } as Record<string, string>,
  keyTake: "take the point of the round",
  keyTrade: "trade a card instead",
  keyCard: "a card of your hand, from the left",
  reasons: { points: "Most points", alone: "Everybody else has left", agreed: "By agreement" } as Record<string, string>,
  short: [
    "Everybody lays a card face down, all at the same time.",
    "Then all are turned over: the highest takes the point, or trades a card.",
    "When the hands are used up, the most points win.",
  ],
  full: ["Whoever lets the point go swaps a card of the hand for one of the deck, which nobody else sees."],
  picture: "Green laid the higher card, and may take the point.",
};
