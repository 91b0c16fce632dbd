import type { Rules } from "../game.ts";
import { begun, type TaflEvent, type TaflState } from "./rules.ts";
import { VARIANTS } from "./variants.ts";

const words = {
  shortRules: [
    "Defenders, with a king, stand in the middle. Attackers, twice as many, are all around.",
    "Every piece moves as far as it likes along a rank or file, over empty spaces.",
    "Move so that an enemy is between two of yours, and it is captured.",
    "The defenders win when the king escapes: to a corner, or in some variants to the edge. The attackers win by capturing him.",
  ],
  pictures: {
    capture: "An attacker comes down: the defender is between two attackers now, and is captured.",
    throne: "The knot in the middle is the throne. Only the king may stop there. The knots in the corners are where he escapes.",
    escape: "Nobody stands between the king and the corner: he goes there, and the defenders have won.",
    shieldwall: "A shieldwall: stones in a row at the edge are captured together, if there is an enemy before each of them and at both ends.",
    fort: "A fort at the edge: the king has room to move, and nobody can ever break in. In Copenhagen that wins.",
    brandub: "Brandub, from Ireland: 7 by 7, quick, and good to learn with. The king escapes to a corner and is captured between two.",
    tablut: "Tablut, from Sápmi, written down by Linnaeus in 1732: 9 by 9, the king escapes to any edge.",
    copenhagen: "Copenhagen: 11 by 11, with shieldwalls and forts. It is what most people play today. The king is captured on all four sides.",
    berserk: "Berserk: whoever captures moves again with the same piece while it can capture. Commanders (squares) and a knight jump.",
  },
  fullRules: [
    "A piece is captured when an enemy moves beside it and another enemy, or a hostile space, is on the opposite side. Whoever moves between two enemies is safe. One move may capture several.",
    "Corners and the throne are hostile in most variants: they help to capture as if an enemy stood there. Point at a space, or keep a finger on it, to read what it does. While you hold a piece, spaces that are hostile to it are hatched.",
    "How the king is captured depends on the variant: on all four sides, or between two like anybody. At a table, its rules in words are under Rules.",
    "If no defender can reach the edge any more, the defenders are encircled and have lost, in most variants. Whoever cannot move loses. A third repetition is a draw, or lost for whoever brings it about.",
    "Smaller boards: Magpie is Brandub with a king who goes one space at a time. Foteviken is Tablut with camps of the attackers. In Sea Battle the king takes no part in captures.",
    "Larger boards: Fetlar is Copenhagen without shieldwalls and forts, Tawlbwrdd has an edge to escape to, Parlett's Sea Battle is 13 by 13, Tablut 15 what it says, and Alea Evangelii, 48 against 24 and a king, 19 by 19.",
    "Rules of your own can be written as a rules string when you open a table. It is checked while you write. Drop a game (.otg) or a rules string anywhere here, or paste it.",
    "A game in a file is reviewed with its comments and variations. If it is a puzzle, you play it: the other side answers, and a hint is there when you ask.",
    "If your clock runs out, you have lost.",
  ],
  advice:
    "Attackers: do not hunt. Close the corners first, then draw the ring tighter. Defenders: open one side and trade; every exchange makes the ring thinner.",
};

function arranged(rows: readonly string[], settings = ""): TaflState {
  const size = rows.length;
  const rules = `dim:${size} name:Tafl ${settings} start:/${rows.toReversed().join("/")}/`;
  return begun(rules);
}

const PICTURES = {
  capture: [".......", "....t..", ".......", "..tT...", "...K...", ".......", "......."],
  throne: [".......", "...t...", "...T...", ".t...t.", "..K....", "...t...", "......."],
  escape: [".......", "..t....", "....T..", ".t.....", "......t", "...t...", "...K..."],
  shieldwall: [".......", ".......", ".......", "..K....", ".t.....", "..ttt..", "..TTTt."],
  fort: [".......", "..t.t..", ".......", ".t...t.", "..TTT..", ".T...T.", ".TK..T."],
};

/** The number of a space of these boards, by its name. */
const at = (name: string) => (Number(name[1]) - 1) * 7 + name.charCodeAt(0) - "a".charCodeAt(0);
const part = (one: string, other: string): readonly [string, string] => [String(at(one)), String(at(other))];
const moved = (seat: 0 | 1, start: string, end: string, ...captured: string[]): TaflEvent => ({
  type: "moved",
  seat,
  start: at(start),
  end: at(end),
  record: "",
  captured: captured.map(at),
});

export const rules: Rules<TaflState, TaflEvent> = {
  short: words.shortRules,
  pictures: [
    {
      state: arranged(PICTURES.capture, "cen: cor:"),
      then: [moved(0, "e6", "e4", "d4")],
      text: words.pictures.capture,
      crop: part("b3", "f6"),
    },
    { state: arranged(PICTURES.throne), text: words.pictures.throne },
    {
      state: arranged(PICTURES.escape),
      then: [moved(1, "d1", "g1"), { type: "ended", winner: 1, reason: "escape" }],
      text: words.pictures.escape,
      crop: part("c1", "g4"),
    },
    {
      state: arranged(PICTURES.shieldwall),
      then: [moved(0, "b3", "b1", "c1", "d1", "e1")],
      text: words.pictures.shieldwall,
      crop: part("a1", "f4"),
    },
    { state: arranged(PICTURES.fort), text: words.pictures.fort, crop: part("a1", "g4") },
    { state: begun(VARIANTS.brandub!), text: words.pictures.brandub },
    { state: begun(VARIANTS.tablut!), text: words.pictures.tablut },
    { state: begun(VARIANTS.copenhagen!), text: words.pictures.copenhagen },
    { state: begun(VARIANTS.berserk!), text: words.pictures.berserk },
  ],
  full: [...words.fullRules, words.advice],
};
