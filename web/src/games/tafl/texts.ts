import { list, plural } from "../../texts/grammar.ts";
import type { LostWhy } from "../game.ts";
import type { AreaKind } from "./ground.ts";
import type { Reason } from "./rules.ts";

export const PIECES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  t: ["taflman", "taflmen"],
  c: ["commander", "commanders"],
  n: ["knight", "knights"],
  k: ["king", "kings"],
  m: ["mercenary", "mercenaries"],
  g: ["guard", "guards"],
};
const SIDES = ["attackers", "defenders"] as const;

const AREAS: Record<AreaKind, string> = {
  corner: "corner",
  centre: "throne",
  attackerFort: "attackers' fort",
  defenderFort: "defenders' fort",
};

/** The words of Tafl, in English. */
export const words = {
  board: (name: string, size: number) => `${name}, ${size} by ${size} spaces`,
  empty: "empty",
  areas: AREAS,
  piece: (letter: string) => {
    const kind = PIECES[letter.toLowerCase()]?.[0] ?? "";
    if (letter === "K") return "the king";
    const side = letter >= "a" ? "attacker" : "defender";
    return kind === "taflman" ? side : `${side}, ${kind}`;
  },
  on: (piece: string, area: string | null) => (area === null ? piece : `${piece}, ${area}`),
  rulesTitle: "Rules",
  confirm: "Move there",
  goesOn: "moves again",
  attackersLeft: (count: number) => plural(count, "attacker", "attackers"),
  defendersLeft: (kings: number, others: number) => {
    if (kings === 0) return plural(others, "defender", "defenders");
    const named = kings === 1 ? "king" : `${kings} kings`;
    return others === 0 ? `${named} alone` : `${named} and ${others}`;
  },
  fromEscape: (moves: number) => `${plural(moves, "move", "moves")} from escape`,
  moved: (letter: string, from: string, to: string, captured: readonly string[], again: boolean) =>
    [
      `${words.piece(letter)} from ${from} to ${to}`,
      ...(captured.length > 0 ? [`captures ${list(captured)}`] : []),
      ...(again ? ["and moves again"] : []),
    ].join(", "),
  recorded: "ends",
  ended: { resigned: "resigns", time: "is out of time", agreed: "draw agreed", recorded: "ends", endless: "draw" } as Partial<Record<Reason, string>>,

  /** Those of a list who are on the board, as people say it. */
  who: (letters: string, everybody: string): string => {
    const there = [...everybody].filter((letter) => letters.includes(letter));
    if (there.length === 0) return "nobody";
    if (there.length === everybody.length) return "everybody";
    if (there.join("") === "K") return "the king";
    for (const side of [0, 1]) {
      const own = [...everybody].filter((letter) => (letter >= "a" ? 0 : 1) === side);
      if (there.join("") === own.join("")) return SIDES[side]!;
    }
    return list(there.map((letter) => (letter === "K" ? "the king" : `${SIDES[letter >= "a" ? 0 : 1]}' ${PIECES[letter.toLowerCase()]?.[1] ?? ""}`)));
  },
  space: {
    title: { corner: "A corner.", centre: "The throne.", attackerFort: "A fort of the attackers.", defenderFort: "A fort of the defenders." },
    stops: (who: string) => (who === "nobody" ? "Nobody may stop here." : `${sentence(who)} may stop here.`),
    passes: (who: string) => (who === "nobody" ? "Nobody may pass." : `${sentence(who)} may pass.`),
    returns: (who: string) => (who === "nobody" ? "Nobody may come in again." : `Only ${who} may come in again.`),
    hostile: (who: string) => `Like an enemy, it helps to capture ${who === "everybody" ? "anybody" : who}.`,
    hostileEmpty: (who: string) => `While it is empty, it helps to capture ${who === "everybody" ? "anybody" : who}.`,
    hostileTaken: (who: string) => `While somebody stands here, it helps to capture ${who === "everybody" ? "anybody" : who}.`,
    escape: "If the king gets here, he has escaped.",
  },
  kinds: {
    k: {
      s: "The king. He is captured by enemies on all four sides.",
      c: "The king. On the throne and beside it he is captured on all four sides, elsewhere between two.",
      m: "The king. He is captured when every space beside him is hostile.",
      w: "The king. He is captured between two enemies, like anybody.",
    },
    c: "A commander.",
    n: "A knight.",
    m: "A mercenary: captured, it changes sides.",
    g: "A guard: it captures nobody and is never captured.",
  },

  /** What a piece can do beyond walking and capturing as all do. */
  jumps: {
    n: null,
    r: "may jump over an enemy beside it, from or to a special space",
    j: "may jump over an enemy beside it",
    c: "captures an enemy beside it by jumping over it",
  },
  arms: {
    y: null,
    h: "captures by moving, but nobody is captured against him",
    a: "captures nobody himself, but others capture against him",
    n: "takes no part in captures",
  },
  slow: (spaces: number) => `goes at most ${plural(spaces, "space", "spaces")} at a time`,
  does: (letter: string, what: string) => `${letter === "K" ? "He" : "It"} ${what}.`,
  slowPiece: (letter: string) => (letter === "t" ? "An attacker." : "A defender."),

  reasons: {
    no_attackers: "No attackers are left",
    no_defenders: "No defenders are left",
    repetition: "The same position came for the third time",
    escape: "The king has escaped",
    king_captured: "The king is captured",
    immobile: "No defender has an empty space beside it",
    fort: "The king is safe in a fort at the edge",
    encircled: "The defenders are encircled",
    no_moves: "There was no move left",
    agreed: "A draw was agreed",
    recorded: "As the file says",
    endless: "There were more moves than any game needs",
  } satisfies Record<Exclude<Reason, LostWhy>, string> as Record<string, string>,

  titles: {
    brandub: "Brandub",
    magpie: "Magpie",
    tablut: "Tablut",
    foteviken: "Foteviken Tablut",
    sea_battle: "Sea Battle",
    copenhagen: "Copenhagen",
    copenhagen_relaxed: "Copenhagen, relaxed",
    fetlar: "Fetlar",
    computer_fetlar: "Computer Fetlar",
    tawlbwrdd: "Tawlbwrdd",
    berserk: "Berserk",
    sea_battle_parlett: "Sea Battle (Parlett)",
    tablut_15: "Tablut 15",
    alea_evangelii: "Alea Evangelii",
  } as Record<string, string>,

  /** What tells a variant from the others, for whoever chooses one. */
  about: {
    brandub: "From Ireland. Quick, and good to learn with: the king goes for a corner and is captured between two.",
    magpie: "Brandub with a king who goes one space at a time and is captured on all sides.",
    tablut: "From Sápmi, written down by Linnaeus in 1732. The king goes for the edge.",
    foteviken: "Tablut in which the attackers begin in camps. Whoever has left a camp or the throne does not come back in.",
    sea_battle: "No throne and no corners. The king goes for the edge and takes no part in captures.",
    copenhagen: "What most people play today. The king goes for a corner. There are shieldwalls, and forts at the edge.",
    copenhagen_relaxed: "Copenhagen in which any move may complete a shieldwall.",
    fetlar: "Copenhagen without shieldwalls and forts. A position that comes for the third time is a draw.",
    computer_fetlar: "Fetlar in which whoever brings about a position for the third time loses.",
    tawlbwrdd: "From Wales. No special spaces: the king goes for the edge and is captured between two.",
    berserk: "Whoever captures moves again with the same piece while it can capture. Commanders and a knight jump. The defenders begin.",
    sea_battle_parlett: "Sea Battle on a larger board, with 32 attackers.",
    tablut_15: "Tablut on a large board: 40 against 20 and the king.",
    alea_evangelii: "The largest board, known from an English manuscript. Each corner has four spaces.",
  } as Record<string, string>,

  form: {
    variant: "Variant",
    own: "Rules of your own",
    ownName: "My rules",
    rules: "Rules string",
    rulesHint: "Keys and values, such as dim:7 esc:e. What is left out is as usual.",
    nothing: "Nothing is written. Write the rules, or choose a variant above.",
    unknown: (keys: readonly string[]) => `${list(keys)}: Tafl has no such ${keys.length === 1 ? "key" : "keys"}. It is as if nothing stood there.`,
    checking: "Reading the rules…",
    place: (line: number, column: number) => `Line ${line}, column ${column}: `,
    goThere: "Show me where",
    inWords: "The rules in words",
    same: (title: string) => `These are the rules of ${title}.`,
    yourBoard: "The start on your board",
  },

  options: {
    quirks: {
      title: "As OpenTafl plays",
      hint: "With the mistakes of that program, so that somebody who uses it sees the same board.",
      choices: { true: "with its mistakes" } as Record<string, string>,
    },
  },
};

function sentence(who: string): string {
  return who === "the king" ? "Only the king" : who === "everybody" ? "Everybody" : `Only ${who}`;
}
