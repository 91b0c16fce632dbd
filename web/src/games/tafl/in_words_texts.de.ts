import { list, plural } from "../../texts/grammar.de.ts";
import type { Words } from "../../texts/words.ts";
import { PIECES } from "./texts.de.ts";

const SIDES = ["Angreifer", "Verteidiger"] as const;
const one = (letter: string) => PIECES[letter.toLowerCase()]![0];
const of = (letter: string, king: string) =>
  letter === "K" ? king : `die ${PIECES[letter.toLowerCase()]![1]} der ${SIDES[letter >= "a" ? 0 : 1]}`;

/** Some of those who are on the board; the king as who does something, or to whom something is done. */
function some(letters: string, everybody: string, king: string): string {
  const side = SIDES.find((_, side) => letters === [...everybody].filter((letter) => (letter >= "a" ? 0 : 1) === side).join(""));
  if (letters === "K") return king;
  return side === undefined ? list([...letters].map((letter) => of(letter, king))) : `die ${side}`;
}
/** Who may do something: "niemand darf dort halten", "nur die Angreifer dürfen dort halten". */
function may(letters: string, everybody: string, what: string): string {
  if (letters === "") return `niemand darf ${what}`;
  if (letters === everybody) return `alle dürfen ${what}`;
  return `nur ${some(letters, everybody, "der König")} ${letters === "K" ? "darf" : "dürfen"} ${what}`;
}
const whom = (letters: string, everybody: string) => (letters === everybody ? "jeden" : some(letters, everybody, "den König"));

export const thoughts: Words<typeof import("./in_words_texts.ts").thoughts> = {
  board: (name, size) => `${name}, auf einem Brett mit ${size} mal ${size} Feldern.`,
  has: (side, pieces) => `Die ${SIDES[side]} haben ${list(pieces.map(([letter, count]) => plural(count, ...PIECES[letter.toLowerCase()]!)))}.`,
  first: (side) => `Die ${SIDES[side]} beginnen.`,
  aim: {
    corner: "Die Verteidiger gewinnen, wenn der König eine Ecke erreicht, die Angreifer, wenn sie ihn schlagen.",
    edge: "Die Verteidiger gewinnen, wenn der König den Rand des Bretts erreicht, die Angreifer, wenn sie ihn schlagen.",
    nowhere: "Die Angreifer gewinnen, wenn sie den König schlagen. Es gibt keine Ecke, in die er entkommen könnte.",
  },
  moving: "Figuren ziehen waagerecht und senkrecht über leere Felder.",
  far: "Sie ziehen, so weit sie wollen.",
  allSlow: (spaces) => `Sie ziehen höchstens ${plural(spaces, "Feld", "Felder")} weit.`,
  someSlow: (slow) =>
    `Sie ziehen, so weit sie wollen. Ausnahmen: ${slow.map(([letter, spaces]) => `${of(letter, "der König")} höchstens ${plural(spaces, "Feld", "Felder")}`).join(", ")}.`,
  jumps: {
    r: (kind) => `Ein ${one(kind)} darf über einen Feind neben sich auf das Feld dahinter springen, aber nur von einem besonderen Feld oder auf eines.`,
    j: (kind) => `Ein ${one(kind)} darf über einen Feind neben sich auf das Feld dahinter springen.`,
    c: (kind) => `Ein ${one(kind)} schlägt einen Feind neben sich, indem er über ihn springt.`,
  },
  notOver: "Über Könige, Anführer und Ritter springt niemand.",
  berserk: {
    c: "Wer geschlagen hat, zieht mit derselben Figur weiter, wenn sie noch einmal schlagen kann.",
    m: "Wer geschlagen hat, zieht mit derselben Figur weiter, wenn sie noch ziehen kann.",
  },
  area: (kind, count, spaces, allowed) => {
    const name = {
      corner: count > 1 ? "Die Ecken" : "Die Ecke",
      centre: "Der Thron",
      attackerFort: "Die Festung der Angreifer",
      defenderFort: "Die Festung der Verteidiger",
    }[kind];
    return `${name}${spaces === null ? "" : ` (${list(spaces)})`}: ${allowed.join("; ")}.`;
  },
  stops: (letters, everybody) => may(letters, everybody, "dort halten"),
  passes: (letters, everybody) => may(letters, everybody, "hindurchziehen"),
  returns: (letters, everybody) => may(letters, everybody, "von außen wieder hinein"),
  hostile: (letters, everybody) => `Wie ein Feind hilft ein solches Feld, ${whom(letters, everybody)} zu schlagen.`,
  hostileEmpty: (letters, everybody) => `Solange er leer ist, hilft er, ${whom(letters, everybody)} zu schlagen.`,
  hostileTaken: (letters, everybody) => `Solange jemand dort steht, hilft er, ${whom(letters, everybody)} zu schlagen.`,
  captured: "Eine Figur ist geschlagen, wenn ein Feind neben sie zieht und gegenüber ein anderer Feind steht.",
  safe: "Wer selbst zwischen zwei Feinde zieht, ist sicher.",
  strength: {
    s: "Der König ist stark: Er wird von Feinden oder feindlichen Feldern auf allen vier Seiten geschlagen, und nie am Rand.",
    c: "Auf dem Thron und daneben wird der König von allen vier Seiten geschlagen, sonst wie alle.",
    m: "Der König ist geschlagen, wenn jedes Feld neben ihm feindlich ist: vier, am Rand drei.",
    w: "Der König wird wie alle zwischen zwei Feinden geschlagen.",
  },
  arms: {
    y: "Der König hilft beim Schlagen.",
    h: "Der König schlägt, wenn er selbst zieht; steht er still, hilft er anderen nicht beim Schlagen.",
    a: "Der König hilft anderen beim Schlagen; er selbst schlägt niemanden.",
    n: "Der König hilft nicht beim Schlagen.",
  },
  elite: "Ein starker König fällt auch zwischen zwei Anführern oder Rittern der Angreifer, oder zwischen einem davon und einer Ecke.",
  mercenaries: "Geschlagene Söldner bleiben auf dem Brett: Sie wechseln die Seite.",
  guards: "Wächter schlagen niemanden und werden nicht geschlagen.",
  shieldwall: {
    w: "Schildwall: Zwei oder mehr Figuren in einer Reihe am Rand werden zusammen geschlagen, wenn vor jeder ein Feind steht und an beiden Enden einer.",
    s: "Schildwall: Zwei oder mehr Figuren in einer Reihe am Rand werden zusammen geschlagen, wenn vor jeder ein Feind steht und an beiden Enden ein Feind oder eine Ecke ist.",
  },
  flanking: "Die Figur, die ein Ende schließt, muss gerade gezogen haben.",
  anyPiece: "Es ist gleich, welche Figur den Wall schließt.",
  kingInWall: "Ein König in einer solchen Reihe bleibt stehen.",
  linnaean:
    "Steht der König in der Mitte und auf drei Seiten neben ihm Angreifer, wird der Verteidiger auf der vierten zwischen ihm und einem Angreifer geschlagen, der hinter den Verteidiger zieht.",
  edgeForts: "Die Verteidiger gewinnen auch mit einer Festung am Rand, in der sich der König bewegen und in die niemand eindringen kann.",
  surround: "Die Angreifer gewinnen auch, wenn kein Verteidiger mehr den Rand erreichen kann.",
  noMove: "Wer nicht ziehen kann, verliert.",
  repetition: {
    d: "Kommt eine Stellung zum dritten Mal, ist das Spiel unentschieden.",
    w: "Wer eine Stellung zum dritten Mal herbeiführt, verliert.",
    l: "Wer eine Stellung zum dritten Mal herbeiführt, gewinnt.",
    i: "Stellungen dürfen sich beliebig oft wiederholen.",
  },
};
