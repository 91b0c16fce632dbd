import type { Seat } from "../../lib/wire/types.ts";
import type { LostWhy } from "../game.ts";
import { plural } from "../../texts/grammar.ts";
import { kindOf, seatOf } from "./board.ts";
import type { LastingKind } from "./lasting.ts";
import { powerTitles, rarityWords } from "./power_names_texts.ts";
import { UNSEEN, type Offer, type PowerName, type Promotion, type Rarity, type Reason } from "./rules.ts";

const moves = (count: number) => plural(count, "more move", "more moves");
const KINDS: Readonly<Record<string, string>> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const SIDES = ["White", "Black"] as const;
const side = (seat: Seat) => SIDES[seat]!;
const kind = (letter: string) => KINDS[kindOf(letter)] ?? "";
const title = (power: PowerName) => powerTitles[power];

const lastingTitles: Record<LastingKind, string> = {
  shield: "Shield",
  guard: "Invulnerable",
  awake: "Awake",
  net: "Safety Net",
  energy: "Energized",
  hole: "Black Hole",
};

/** The words of Power Chess, in English. */
export const words = {
  board: "Power Chess, 8 by 8 squares",
  empty: "empty",
  side,
  kind,
  piece: (letter: string) => `${["white", "black"][seatOf(letter)] ?? ""} ${kind(letter)}`,
  box: (rarity: Rarity) => `${rarityWords[rarity]} box`,
  lastingTitles,
  /** What is read aloud of something that lasts, beside what it is on. */
  lasting: (what: LastingKind, left: number | null, really: string | null): string => {
    const long = left === null ? "until it is needed" : `for ${moves(left)}`;
    switch (what) {
      case "shield":
        return `shield ${long}`;
      case "guard":
        return `invulnerable ${long}`;
      case "awake":
        return `awake ${long}, really a ${kind(really ?? "")}`;
      case "net":
        return "safety net";
      case "energy":
        return `energized ${long}`;
      case "hole":
        return `black hole ${long}`;
    }
  },
  /** The same for somebody who asks what it means. */
  explained: (what: LastingKind, left: number | null, really: string | null): string => {
    const long = left === null ? "" : moves(left);
    switch (what) {
      case "shield":
        return `Shield: it cannot be captured or destroyed for ${long}, or until it captures.`;
      case "guard":
        return `Invulnerable: it cannot be captured or destroyed for ${long}.`;
      case "awake":
        return `Awake: a queen for ${long}, and then a ${kind(really ?? "")} again.`;
      case "net":
        return "Safety Net: if it would be captured, it goes back to its first rank instead, once.";
      case "energy":
        return `Energized: it goes any distance along its file, forward and back, for ${long}, and is not promoted before.`;
      case "hole":
        return `Black Hole: nothing can land here for ${long}. Pieces pass over it.`;
    }
  },
  explainedBox: (rarity: Rarity) =>
    `A ${rarityWords[rarity]} box: land here, and choose one of two ${rarityWords[rarity]} powers. Pieces pass over it.`,
  /** In the list of what lasts: on what, and how long. */
  onWhat: (what: LastingKind, where: string | null, letter: string, really: string | null): string => {
    if (what === "energy") return `${side(seatOf(letter))}'s pawns`;
    if (what === "hole") return where ?? "";
    const who = what === "awake" && really !== null ? `${kind(really)} as a queen` : kind(letter);
    return `${side(seatOf(letter))}'s ${who} on ${where ?? ""}`;
  },
  untilNeeded: "until it is needed",
  lastsOn: (title: string, on: string, long: string) => `${title}: ${on}, ${long}`,
  movesLeft: (count: number) => plural(count, "move left", "moves left"),

  panels: { lasting: "In play", captured: "Captured" },
  nothingLasts: "Nothing lasts just now. Boxes are to be had by landing on them.",
  noBoxes: "No boxes come in this game: it is chess in which the king is captured.",
  nobodyCaptured: "none",
  captured: (seat: Seat, names: string[]) => `${side(seat)} has lost ${names.length === 0 ? "nothing" : names.join(", ")}`,
  onBoard: (count: number) => (count === 1 ? "Box on the board" : "Boxes on the board"),

  choosing: (seat: Seat, rarity: Rarity) => `${side(seat)} has taken a ${rarityWords[rarity]} box and chooses a power.`,
  chooses: "chooses a power",
  youChoose: (rarity: Rarity) => `A ${rarityWords[rarity]} box. Choose one:`,
  offer: "Offered",
  powersTitle: "The powers",
  rarityTitle: (rarity: Rarity) => ({ common: "Out of common boxes", rare: "Out of rare boxes", legendary: "Out of legendary boxes" })[rarity],
  title,
  use: (power: PowerName) => `Use ${title(power)}`,
  useIt: "Use it",
  promote: (to: Promotion) => `Becomes a ${to}`,
  promoting: "What does the pawn become?",
  keys: {
    first: "First power",
    second: "Second power",
    use: "Use the power",
    promote: (to: Promotion) => `Promote to a ${to}`,
  },
  ahead: (points: number) => `+${points}`,
  points: (count: number) => plural(count, "point", "points"),

  // The list of moves
  moved: (letter: string, from: string, to: string, captures: boolean, becomes: string | null) =>
    `${kindOf(letter) === "p" ? "" : letter.toUpperCase()}${from}${captures ? "x" : "-"}${to}${becomes === null ? "" : `=${becomes.toUpperCase()}`}`,
  castled: (short: boolean) => (short ? "O-O" : "O-O-O"),
  came: (rarity: Rarity, where: string) => (rarity === "common" ? `box ${where}` : `${rarityWords[rarity]} box ${where}`),
  taken: (rarity: Rarity) => `takes ${rarityWords[rarity]} box`,
  saved: (where: string) => `net to ${where}`,
  used: (power: PowerName, target: string | null, drawn: string | null) =>
    [title(power), ...(target === null ? [] : [target]), ...(drawn === null ? [] : [`to ${drawn}`])].join(" "),
  ended: { resigned: "resigns", time: "is out of time", agreed: "draw agreed", endless: "draw" } as Partial<Record<Reason, string>>,

  // What is read aloud
  says: {
    moved: (letter: string, from: string, to: string) => `${kind(letter)} from ${from} to ${to}`,
    castled: (short: boolean) => (short ? "castles on the king's side" : "castles on the queen's side"),
    captured: (letter: string, only: boolean) => `takes ${only ? "the" : "a"} ${kind(letter)}`,
    becomes: (letter: string) => `becomes a ${kind(letter)}`,
    saved: (where: string) => `the net takes the piece to ${where}`,
    box: (rarity: Rarity, where: string) => `a ${rarityWords[rarity]} box comes on ${where}`,
    offered: (rarity: Rarity, [first, second]: Offer) =>
      first === UNSEEN || second === UNSEEN
        ? `has taken a ${rarityWords[rarity]} box and chooses a power`
        : `a ${rarityWords[rarity]} box: ${title(first)}, or ${title(second)}`,
    used: (power: PowerName, target: string | null, drawn: string | null, came: string) =>
      [
        `uses ${title(power)}${target === null ? "" : ` on ${target}`}`,
        ...(came === "" ? [] : [`a ${kind(came)} comes back`]),
        ...(drawn === null ? [] : [`to ${drawn}`]),
      ].join(", "),
  },

  reasons: {
    king: "The king was captured",
    no_move: "Nothing was left to move",
    agreed: "A draw was agreed",
    endless: "There were more moves than any game needs",
  } satisfies Record<Exclude<Reason, LostWhy>, string>,

  options: {
    boxes: {
      title: "Boxes",
      hint: "Boxes with powers come onto the board. Without them it is chess in which kings are captured.",
      choices: { true: "yes", false: "no" },
    },
  },
  clocks: { leisure: "At leisure", quick: "Quick", standard: "Standard", slow: "Slow" },
};
