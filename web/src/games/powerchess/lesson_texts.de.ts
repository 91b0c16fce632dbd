import type { LessonWords } from "../lesson.ts";

export const words: LessonWords[] = [
  {
    task: "Figuren ziehen wie im Schach, aber Schach gibt es nicht: Wer den König schlägt, hat gewonnen. Schlag ihn.",
    again: "Noch einmal: Die Dame erreicht den König auf ihrer Diagonale.",
    done: "Der König ist geschlagen, und du hast gewonnen. Niemand warnt dich davor, also pass auf deinen eigenen auf.",
  },
  {
    task: "Ab und zu kommt eine Kiste aufs Brett. Lande mit deinem Springer auf dieser.",
    again: "Noch einmal: Zieh den Springer auf das Feld mit der Kiste.",
    done: "Die Kiste ist offen: Zwei Kräfte sind darin.",
  },
  {
    task: "Du musst eine der beiden Kräfte sofort einsetzen. Wähle eine, und dann, wo sie wirkt, wenn sie nach einem Feld fragt.",
    done: "Was anhält, sieht man an der Figur, und mit jedem Zug wird es weniger.",
  },
  {
    task: "Der schwarze Springer hat einen Ring: einen Schild. Er kann nicht geschlagen werden. Schlag die andere schwarze Figur mit deinem Turm.",
    again: "Noch einmal: Der Läufer steht auf derselben Reihe wie dein Turm.",
    done: "Jeder Strich eines Rings ist ein Zug, der noch bleibt. Ist der letzte weg, kann der Springer wieder geschlagen werden.",
  },
  {
    task: "Dein Springer hat gerade eine Kiste genommen. „Zweiter Anlauf“ lässt ihn noch einmal ziehen und auch schlagen: Schlag den König.",
    again: "Noch einmal: Wähle „Zweiter Anlauf“, dann das Feld des Königs.",
    done: "Erst ein Zug, dann eine Kraft, und du hast gewonnen.",
  },
];
