import type { Words } from "../../texts/words.ts";
import { plural } from "../../texts/grammar.de.ts";
import type { Seat } from "../../lib/wire/types.ts";
import { kindOf, seatOf } from "./board.ts";
import { powerTitles, rarityWords } from "./power_names_texts.de.ts";
import { UNSEEN, type PowerName, type Promotion, type Rarity } from "./rules.ts";

const moves = (count: number) => plural(count, "Zug", "Züge");
const KINDS: Readonly<Record<string, string>> = { k: "König", q: "Dame", r: "Turm", b: "Läufer", n: "Springer", p: "Bauer" };
/** As players write them. */
const LETTERS: Readonly<Record<string, string>> = { k: "K", q: "D", r: "T", b: "L", n: "S", p: "B" };
const PROMOTIONS: Readonly<Record<Promotion, string>> = { queen: "q", rook: "r", bishop: "b", knight: "n" };
const SIDES = ["Weiß", "Schwarz"] as const;
const side = (seat: Seat): string => SIDES[seat]!;
const kind = (letter: string) => KINDS[kindOf(letter)] ?? "";
const isQueen = (letter: string) => kindOf(letter) === "q";
/** Ein Turm, eine Dame; and the same as what is taken. */
const a = (letter: string) => `${isQueen(letter) ? "eine" : "ein"} ${kind(letter)}`;
const whom = (letter: string) => (isQueen(letter) ? "eine Dame" : kindOf(letter) === "p" ? "einen Bauern" : `einen ${kind(letter)}`);
const the = (letter: string) => (isQueen(letter) ? "die Dame" : kindOf(letter) === "p" ? "den Bauern" : `den ${kind(letter)}`);
const colour = (letter: string) => ["weiße", "schwarze"][seatOf(letter)] ?? "";
/** What is of this kind, in the colour of the other letter: weiße Dame, schwarzer Turm. */
const coloured = (letter: string, of: string) => `${colour(letter)}${isQueen(of) ? "" : "r"} ${kind(of)}`;
const title = (power: PowerName) => powerTitles[power];
const box = (rarity: Rarity) => `${rarityWords[rarity]}e Kiste`;
const letterOf = (letter: string) => LETTERS[kindOf(letter)] ?? "";

/** The words of Power Chess, in German. */
export const words: Words<typeof import("./texts.ts").words> = {
  board: "Power Chess, 8 mal 8 Felder",
  empty: "leer",
  side,
  kind,
  piece: (letter) => coloured(letter, letter),
  box,
  lastingTitles: {
    shield: "Schild",
    guard: "Unverwundbar",
    awake: "Erwacht",
    net: "Fangnetz",
    energy: "Schwung",
    hole: "Schwarzes Loch",
  },
  lasting: (what, left, really) => {
    const long = left === null ? "bis es gebraucht wird" : `noch ${moves(left)}`;
    switch (what) {
      case "shield":
        return `Schild ${long}`;
      case "guard":
        return `unverwundbar ${long}`;
      case "awake":
        return `erwacht ${long}, eigentlich ${a(really ?? "")}`;
      case "net":
        return "Fangnetz";
      case "energy":
        return `Schwung ${long}`;
      case "hole":
        return `schwarzes Loch ${long}`;
    }
  },
  explained: (what, left, really) => {
    const long = left === null ? "" : `noch ${moves(left)} lang`;
    switch (what) {
      case "shield":
        return `Schild: Die Figur kann ${long} weder geschlagen noch zerstört werden, oder bis sie selbst schlägt.`;
      case "guard":
        return `Unverwundbar: Die Figur kann ${long} weder geschlagen noch zerstört werden.`;
      case "awake":
        return `Erwacht: ${long} eine Dame, dann wieder ${a(really ?? "")}.`;
      case "net":
        return "Fangnetz: Statt geschlagen zu werden, geht die Figur einmal auf ihre Grundreihe zurück.";
      case "energy":
        return `Schwung: Der Bauer zieht ${long} beliebig weit auf seiner Linie, vor und zurück, und wird solange nicht umgewandelt.`;
      case "hole":
        return `Schwarzes Loch: Hier kann ${long} nichts landen. Figuren ziehen darüber hinweg.`;
    }
  },
  explainedBox: (rarity) =>
    `Eine ${box(rarity)}: Lande hier und wähle eine von zwei ${rarityWords[rarity]}en Kräften. Figuren ziehen darüber hinweg.`,
  onWhat: (what, where, letter, really) => {
    if (what === "energy") return `${colour(letter)} Bauern`;
    if (what === "hole") return where ?? "";
    const who = what === "awake" && really !== null ? `${coloured(letter, really)} als Dame` : coloured(letter, letter);
    return `${who} auf ${where ?? ""}`;
  },
  untilNeeded: "bis es gebraucht wird",
  lastsOn: (title: string, on: string, long: string) => `${title}: ${on}, ${long}`,
  movesLeft: (count) => `noch ${moves(count)}`,

  panels: { lasting: "Im Spiel", captured: "Geschlagen" },
  nothingLasts: "Gerade hält nichts an. Kisten bekommt, wer auf ihnen landet.",
  noBoxes: "In diesem Spiel kommen keine Kisten: Es ist Schach, bei dem der König geschlagen wird.",
  nobodyCaptured: "keine",
  captured: (seat, names) => `Verluste von ${side(seat)}: ${names.length === 0 ? "keine" : names.join(", ")}`,
  onBoard: (count) => (count === 1 ? "Kiste auf dem Brett" : "Kisten auf dem Brett"),

  choosing: (seat, rarity) => `${side(seat)} hat eine ${box(rarity)} genommen und wählt eine Kraft.`,
  chooses: "wählt eine Kraft",
  youChoose: (rarity) => `Eine ${box(rarity)}. Wähle eine Kraft:`,
  offer: "Zur Wahl",
  powersTitle: "Die Kräfte",
  rarityTitle: (rarity) =>
    ({ common: "Aus gewöhnlichen Kisten", rare: "Aus seltenen Kisten", legendary: "Aus legendären Kisten" })[rarity],
  title,
  use: (power) => `„${title(power)}“ einsetzen`,
  useIt: "Einsetzen",
  promote: (to) => `Wird ${a(PROMOTIONS[to])}`,
  promoting: "Was wird aus dem Bauern?",
  keys: {
    first: "Erste Kraft",
    second: "Zweite Kraft",
    use: "Die Kraft einsetzen",
    promote: (to) => `Umwandeln: ${kind(PROMOTIONS[to])}`,
  },
  ahead: (points) => `+${points}`,
  points: (count) => plural(count, "Punkt", "Punkte"),

  moved: (letter, from, to, captures, becomes) =>
    `${kindOf(letter) === "p" ? "" : letterOf(letter)}${from}${captures ? "x" : "-"}${to}${becomes === null ? "" : `=${letterOf(becomes)}`}`,
  castled: (short) => (short ? "O-O" : "O-O-O"),
  came: (rarity, where) => (rarity === "common" ? `Kiste ${where}` : `${box(rarity)} ${where}`),
  taken: (rarity) => `nimmt ${box(rarity)}`,
  saved: (where) => `Netz nach ${where}`,
  used: (power, target, drawn) =>
    [title(power), ...(target === null ? [] : [target]), ...(drawn === null ? [] : [`nach ${drawn}`])].join(" "),
  ended: { resigned: "gibt auf", time: "hat keine Zeit mehr", agreed: "unentschieden vereinbart", endless: "unentschieden" },

  says: {
    moved: (letter, from, to) => `${kind(letter)} von ${from} nach ${to}`,
    castled: (short) => (short ? "kurze Rochade" : "lange Rochade"),
    captured: (letter, only) => `schlägt ${only ? the(letter) : whom(letter)}`,
    becomes: (letter) => `wird ${a(letter)}`,
    saved: (where) => `das Netz bringt die Figur nach ${where}`,
    box: (rarity, where) => `eine ${box(rarity)} kommt auf ${where}`,
    offered: (rarity, [first, second]) =>
      first === UNSEEN || second === UNSEEN
        ? `hat eine ${box(rarity)} genommen und wählt eine Kraft`
        : `eine ${box(rarity)}: ${title(first)} oder ${title(second)}`,
    used: (power, target, drawn, came) =>
      [
        `setzt „${title(power)}“ ${target === null ? "" : `auf ${target} `}ein`,
        ...(came === "" ? [] : [`${a(came)} kommt zurück`]),
        ...(drawn === null ? [] : [`nach ${drawn}`]),
      ].join(", "),
  },

  reasons: {
    king: "Der König wurde geschlagen",
    no_move: "Es gab keinen Zug mehr",
    agreed: "Unentschieden vereinbart",
    endless: "Es waren mehr Züge, als ein Spiel braucht",
  },

  options: {
    boxes: {
      title: "Kisten",
      hint: "Kisten mit Kräften kommen aufs Brett. Ohne sie ist es Schach, bei dem Könige geschlagen werden.",
      choices: { true: "ja", false: "nein" },
    },
  },
  clocks: { leisure: "In Ruhe", quick: "Schnell", standard: "Üblich", slow: "Langsam" },
};
