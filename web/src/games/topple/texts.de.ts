import type { Words } from "../../texts/words.ts";
import { list, plural } from "../../texts/grammar.de.ts";
import { faceWords } from "./face_texts.de.ts";

const tiles = (count: number) => plural(count, "Feld", "Felder");

/** The words of Topple, in German. */
export const words: Words<typeof import("./texts.ts").words> = {
  board: (x, y) => `Topple, ${plural(x, "Spalte", "Spalten")} und ${plural(y, "Reihe", "Reihen")}`,
  holds: (pieces, names, full) =>
    [
      plural(pieces, "Stein", "Steine"),
      names === null ? "gehört niemandem" : `gehört ${list(names)}`,
      ...(full ? ["kippt als Nächstes"] : []),
    ].join(", "),
  placed: (place, toppled, captured) =>
    [
      place,
      ...(toppled > 0 ? [plural(toppled, "Feld kippt", "Felder kippen")] : []),
      ...(captured > 0 ? [`${tiles(captured)} erobert`] : []),
    ].join(", "),
  skipped: "setzt aus",
  gone: { left: "geht", lost: "hat keine Zeit mehr", resigned: "gibt auf" },
  tiles,
  points: (count) => plural(count, "Punkt", "Punkte"),
  presets: { two: "Zu zweit", quick: "Schnell", teams: "Zwei gegen zwei", crowd: "Zu sechst auf großem Brett" },
  tooLarge: (columns, most) =>
    `Ein Brett hat höchstens ${tiles(most)}: bei ${plural(columns, "Spalte", "Spalten")} sind das ${plural(Math.floor(most / columns), "Reihe", "Reihen")}.`,
  paletteHint: "Jedes Team behält auch seine eigene Form der Augen.",
  nobodys: "Felder von niemandem",
  team: (letter) => `Team ${letter}`,
  reasons: {
    everything: "Jedes Feld ist erobert",
    alone: "Niemand sonst ist übrig",
    idle: "Niemand hat gezogen; die Felder wurden gezählt",
  },
  options: {
    topology: {
      title: "Brett",
      hint: "Sind Ränder verbunden, kommt gegenüber herein, was über den Rand kippt.",
      choices: {
        grid: "Mit Rändern",
        hwrap: "Links und rechts verbunden",
        vwrap: "Oben und unten verbunden",
        bwrap: "Alle Ränder verbunden",
      },
    },
    x: { title: "Spalten" },
    y: { title: "Reihen", hint: "Zusammen höchstens 225 Felder." },
    scoring: {
      title: "Wer gewinnt",
      hint: "Das Spiel endet, wenn ein Team alles hat. Mit Punkten bekommt jedes Team nach jedem Zug einen für jedes seiner Felder oder jeden seiner Steine.",
      choices: faceWords.scoring,
    },
    penalty: {
      title: "Wenn die Zeit abläuft",
      choices: { random: "Ein Zufallszug", skip: "Der Zug fällt aus", lose: "Man scheidet aus" },
    },
    idle_rounds: {
      title: "Runden ohne Zug",
      hint: "Sind so viele Runden ausgefallen, endet das Spiel, und die Felder werden gezählt.",
    },
    teams: {
      title: "Teams",
      hint: "Partner teilen sich ihre Felder, und jeder hat einen eigenen Zug.",
      presets: faceWords.teams,
    },
    resume: null,
    position: null,
  },
  shortRules: [
    "Jedes Feld beginnt mit einem Stein und gehört niemandem.",
    "Wenn du am Zug bist, leg einen Stein auf ein Feld, das niemandem oder dir gehört. Dann ist es deins.",
    "Ein Feld mit mehr Steinen als Nachbarn kippt: Jeder Nachbar bekommt einen Stein und gehört dann dir, wem er vorher auch gehörte. So kann ein Zug viele Felder kippen.",
    "Gehört dir jedes Feld, hast du gewonnen.",
  ],
  pictures: {
    full: "Erhöhte Felder mit Rand sind voll: Eine Ecke fasst zwei Steine, ein Rand drei, alle anderen vier. Einer mehr, und sie kippen.",
    toppled: "Noch ein Stein, und das volle Feld kippt. Es behält einen und gibt jedem Nachbarn einen, und alle sind jetzt blau.",
    joined: "Ein gestrichelter Rand mit Pfeilen ist mit dem gegenüber verbunden: Was dort hinauskippt, kommt hier herein.",
  },
  fullRules: [
    "Zwei bis zehn Spieler. Die ersten sechs haben je ein eigenes Team; ab dem siebten kommen sie zu den ersten vier Teams. Partner teilen sich die Felder, und jeder hat eigene Züge.",
    "Aussetzen kannst du nicht. Läuft deine Uhr ab, geschieht, was vereinbart ist: ein Zufallszug, keiner, oder du bist draußen. Der erste Zug läuft ohne Uhr.",
    "Es kippt weiter, bis kein Feld mehr Steine als Nachbarn hat, oder bis ein Team jedes Feld hat: Dann hört alles sofort auf.",
    "Solange manche Felder niemandem gehören, scheidet niemand aus, so wenig er auch hat. Danach ist draußen, wer kein Feld mehr hat.",
    "Wer geht, ist draußen. Die Felder bleiben beim Team und können noch erobert werden. Ist nur noch ein Team da, gewinnt es.",
    "Ist eine verbundene Seite zwei Felder lang, hat ein Feld denselben Nachbarn zweimal und gibt ihm zwei Steine.",
    "Mit Punkten für Felder oder Steine endet das Spiel ebenso, aber die meisten Punkte gewinnen. Bei Gleichstand gewinnt das Team, das das Spiel beendet hat.",
  ],
  advice:
    "Ein volles Feld bedroht alles daneben. Leg deine Steine nicht neben ein volles fremdes Feld: Du fütterst nur die anderen. Ecken füllen sich am schnellsten. Zeig auf ein volles Feld, um zu sehen, was es erobern würde.",
};
