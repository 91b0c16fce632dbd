import type { LessonWords } from "../lesson.ts";

export const words: LessonWords[] = [
  {
    task: "Du bist X. Setz dein Zeichen auf irgendein Feld des Turms.",
    done: "Das war ein Zug. Nun wäre O dran, und dann J.",
  },
  {
    task: "Drei in einer Linie gewinnen. Zwei deiner Zeichen stehen an der vorderen Kante des oberen Rings: Füll die Lücke.",
    again: "Noch einmal: Die Lücke ist auf dem oberen Ring, vorn zwischen deinen beiden Zeichen.",
    done: "Eine Linie an einer Kante entlang, und du hast gewonnen.",
  },
  {
    task: "Linien gehen auch gerade nach unten, ein Feld auf jedem Ring. Zwei deiner Zeichen stehen übereinander: Mach die Linie voll.",
    again: "Noch einmal: Das Feld ist auf dem mittleren Ring, genau unter deinem Zeichen auf dem oberen.",
    done: "Eine Linie durch alle drei Ringe.",
  },
  {
    task: "Und Linien laufen schräg über eine Außenseite. Deine beginnt vorn links auf dem oberen Ring und endet vorn rechts auf dem unteren.",
    again: "Noch einmal: Das fehlende Feld ist auf dem mittleren Ring, vorn, in der Mitte zwischen deinen Zeichen.",
    done: "Eine Diagonale. Durch die hohle Mitte geht nichts, mehr Arten von Linien gibt es also nicht.",
  },
  {
    task: "Nach dir spielt O und würde auf dem oberen Ring eine Linie schließen. Setz dein Zeichen dazwischen.",
    again: "Noch einmal: O hat zwei Zeichen an der linken Kante des oberen Rings. Nimm das dritte Feld dieser Kante.",
    done: "Aufgehalten. Hat der Nächste zwei in einer Linie, musst du ihn aufhalten.",
  },
];
