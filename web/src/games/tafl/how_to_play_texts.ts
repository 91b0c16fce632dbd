export const rulesWords = {
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
