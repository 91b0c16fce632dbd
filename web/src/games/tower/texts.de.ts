import type { Words } from "../../texts/words.ts";
import { plural } from "../../texts/grammar.de.ts";

const RINGS = ["oberer Ring", "mittlerer Ring", "unterer Ring"];
const PLACES = [
  ["hinten links", "hinten", "hinten rechts"],
  ["links", "", "rechts"],
  ["vorn links", "vorn", "vorn rechts"],
];

/** The words of Tower, in German. */
export const words: Words<typeof import("./texts.ts").words> = {
  board: "Tower, drei Ringe mit je acht Feldern",
  tile: (tile, level, row, column) => `${words.short(tile)}, ${RINGS[level] ?? ""}, ${PLACES[row]?.[column] ?? ""}`,
  short: (tile) => `${"ABC"[Math.floor(tile / 8)] ?? ""}${(tile % 8) + 1}`,
  empty: "leer",
  marked: (mark) => mark,
  placed: (mark, place) => `${mark} auf ${place}`,
  openLines: (count) => plural(count, "offene Linie", "offene Linien"),
  presets: { leisure: "In Ruhe", quick: "Schnell", clock: "Mit Uhr" },
  reasons: { line: "Drei in einer Linie", full: "Der Turm ist voll" },
  shortRules: [
    "Drei Spieler teilen sich einen Turm aus drei Ringen mit je acht Feldern.",
    "Wenn du am Zug bist, setzt du dein Zeichen auf ein leeres Feld.",
    "Drei eigene Zeichen in einer geraden Linie gewinnen sofort.",
  ],
  lines:
    "Linien laufen an den Kanten eines Rings entlang, gerade nach unten und schräg über eine Außenseite. Durch die hohle Mitte geht nichts: Insgesamt sind es 28 Linien.",
  pictures: {
    edge: "An der Kante eines Rings entlang.",
    column: "Gerade nach unten, ein Feld auf jedem Ring.",
    face: "Schräg über eine Außenseite: eine Ecke, die Mitte dieser Seite einen Ring weiter, die Ecke gegenüber.",
  },
  fullRules: [
    "Die Plätze haben die Zeichen X, O und J und ziehen in dieser Reihenfolge, X zuerst.",
    "Ein Zeichen bewegt sich nie und wird nie entfernt. Aussetzen kann man nicht.",
    "Wer als Erster drei eigene Zeichen in einer Linie hat, gewinnt. Schließt ein Zeichen zwei Linien, wird eine davon gezeigt.",
    "Sind alle 24 Felder ohne eine Linie gefüllt, ist das Spiel unentschieden.",
    "Geht jemand, wartet das Spiel, bis jemand anders oder ein Bot einspringt, mit demselben Zeichen und an derselben Stelle der Reihe.",
    "Läuft deine Uhr ab, wird dein Zeichen auf irgendein leeres Feld gesetzt.",
  ],
  advice:
    "Zwei Gegner können dich aufhalten, aber keiner von beiden gibt gern seinen Zug dafür her. Überlege, was der Nächste tun muss, bevor du es für ihn tust.",
};
