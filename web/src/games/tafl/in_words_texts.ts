import { list, plural } from "../../texts/grammar.ts";
import type { AreaKind } from "./ground.ts";
import { PIECES } from "./texts.ts";

const SIDES = ["attackers", "defenders"] as const;
type Counted = readonly (readonly [letter: string, count: number])[];

const many = (letter: string) => PIECES[letter.toLowerCase()]![1];
const of = (letter: string) => (letter === "K" ? "the king" : `the ${SIDES[letter >= "a" ? 0 : 1]}' ${many(letter)}`);

/** Some of those who are on the board: "the king", "attackers", or kind by kind. */
function some(letters: string, everybody: string): string {
  const side = SIDES.find((_, side) => letters === [...everybody].filter((letter) => (letter >= "a" ? 0 : 1) === side).join(""));
  return letters === "K" ? of(letters) : (side ?? list([...letters].map(of)));
}
const who = (letters: string, everybody: string) =>
  letters === "" ? "nobody" : letters === everybody ? "everybody" : `only ${some(letters, everybody)}`;
const whom = (letters: string, everybody: string) => (letters === everybody ? "anybody" : some(letters, everybody));

const AREAS: Record<AreaKind, string> = { corner: "corner", centre: "centre", attackerFort: "attackers' fort", defenderFort: "defenders' fort" };

/** Every thought of which rules in words may consist. Pieces are letters; those of attackers are small. */
export const thoughts = {
  board: (name: string, size: number) => `${name}, on a board of ${size} by ${size} spaces.`,
  has: (side: 0 | 1, pieces: Counted) =>
    `The ${SIDES[side]} have ${list(pieces.map(([letter, count]) => plural(count, ...PIECES[letter.toLowerCase()]!)))}.`,
  first: (side: 0 | 1) => `The ${SIDES[side]} move first.`,
  aim: {
    corner: "The defenders win when the king reaches a corner, the attackers when they capture him.",
    edge: "The defenders win when the king reaches the edge of the board, the attackers when they capture him.",
    nowhere: "The attackers win by capturing the king. There is no corner to which he could escape.",
  },
  moving: "Pieces move along ranks and files, over empty spaces.",
  far: "They go as far as they like.",
  allSlow: (spaces: number) => `They go at most ${plural(spaces, "space", "spaces")} at a time.`,
  someSlow: (slow: Counted) =>
    `They go as far as they like, but for ${list(slow.map(([letter, spaces]) => `${of(letter)} at most ${spaces}`))} at a time.`,
  jumps: {
    r: (kind: string) => `A ${PIECES[kind]![0]} may jump over an enemy beside it to the space behind, from or to a special space only.`,
    j: (kind: string) => `A ${PIECES[kind]![0]} may jump over an enemy beside it to the space behind.`,
    c: (kind: string) => `A ${PIECES[kind]![0]} captures an enemy beside it by jumping over it.`,
  },
  notOver: "Nobody jumps over kings, commanders and knights.",
  berserk: {
    c: "After a capture the same piece moves again, if it can capture again.",
    m: "After a capture the same piece moves again, if it can move on.",
  },
  area: (kind: AreaKind, count: number, spaces: readonly string[] | null, allowed: readonly string[]) => {
    const where = spaces !== null ? ` (${list(spaces)})` : count > 1 ? " spaces" : "";
    return `The ${AREAS[kind]}${where}: ${allowed.join("; ")}.`;
  },
  stops: (letters: string, everybody: string) => `${who(letters, everybody)} may stop there`,
  passes: (letters: string, everybody: string) => `${who(letters, everybody)} may pass`,
  returns: (letters: string, everybody: string) => `${who(letters, everybody)} may come back in from outside`,
  hostile: (letters: string, everybody: string) => `Like an enemy, such a space helps to capture ${whom(letters, everybody)}.`,
  hostileEmpty: (letters: string, everybody: string) => `While it is empty, it helps to capture ${whom(letters, everybody)}.`,
  hostileTaken: (letters: string, everybody: string) => `While somebody stands there, it helps to capture ${whom(letters, everybody)}.`,
  captured: "A piece is captured when an enemy moves beside it and another enemy is on the opposite side of it.",
  safe: "Whoever moves between two enemies is safe.",
  strength: {
    s: "The king is strong: he is captured by enemies or hostile spaces on all four sides, and never at the edge.",
    c: "On the centre and beside it the king is captured on all four sides, elsewhere like any piece.",
    m: "The king is captured when every space beside him is hostile: four, at the edge three.",
    w: "The king is captured like any other piece, between two enemies.",
  },
  arms: {
    y: "The king helps to capture.",
    h: "The king captures by moving; against a king who stands still nobody is captured.",
    a: "Others capture against the king; he himself captures nobody.",
    n: "The king takes no part in captures.",
  },
  elite: "A strong king also falls between two of the attackers' commanders or knights, or between one and a corner.",
  mercenaries: "Captured mercenaries are not taken from the board: they change sides.",
  guards: "Guards capture nobody and are not captured.",
  shieldwall: {
    w: "Shieldwall: two or more pieces in a row at the edge are captured together when there is an enemy in front of each, and an enemy at both ends.",
    s: "Shieldwall: two or more pieces in a row at the edge are captured together when there is an enemy in front of each, and an enemy or a corner at both ends.",
  },
  flanking: "The piece that closes one of the ends must have moved just then.",
  anyPiece: "It does not matter which piece completes the wall.",
  kingInWall: "A king in such a row stays.",
  linnaean:
    "When the king is in the middle with attackers on three sides, the defender on the fourth is captured between him and an attacker who moves behind it.",
  edgeForts: "The defenders also win with a fort at the edge, in which the king can move and nobody can break in.",
  surround: "The attackers also win when no defender can reach the edge any more.",
  noMove: "Whoever cannot move loses.",
  repetition: {
    d: "When a position is there for the third time, the game is a draw.",
    w: "Whoever brings about a position for the third time loses.",
    l: "Whoever brings about a position for the third time wins.",
    i: "Positions may come again as often as they like.",
  },
};
