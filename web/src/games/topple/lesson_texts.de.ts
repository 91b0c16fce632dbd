import type { LessonWords } from "../lesson.ts";

export const words: LessonWords[] = [
  {
    task: "Du spielst Blau. Leg einen Stein auf ein Feld, das niemandem gehört, oder auf eines von deinen.",
    done: "Das Feld ist jetzt deins und hat einen Stein mehr. Auf Felder von anderen legst du nie.",
  },
  {
    task: "Ein Feld ist voll, wenn es so viele Steine wie Nachbarn hat: eine Ecke mit zweien. Deine ist voll: Leg noch einen Stein darauf.",
    again: "Noch einmal: Leg auf dein volles Feld in der Ecke.",
    done: "Es ist gekippt: Je ein Stein ging an jeden Nachbarn und machte ihn zu deinem.",
  },
  {
    task: "So erobert man Felder. Dein volles Feld in der Mitte liegt neben einem fremden: Lass es kippen.",
    again: "Noch einmal: Leg auf dein eigenes Feld mit vier Steinen.",
    done: "Der Nachbar gehört dir, mit allen Steinen, die darauf lagen.",
  },
  {
    task: "Ein Stein, der auf ein volles Feld kommt, lässt auch das kippen. Löse mit deinem vollen Feld eine Kette aus.",
    again: "Noch einmal: Dein volles Feld liegt neben einem vollen fremden.",
    done: "Ein Stein ließ drei Felder kippen, und das meiste gehört dir.",
  },
  {
    task: "Wem jedes Feld gehört, der hat gewonnen. Finde den Zug, der alle nimmt.",
    again: "Noch einmal: Nur ein volles Feld löst eine Kette aus.",
    done: "Jedes Feld gehört dir: Du hast gewonnen.",
  },
];
