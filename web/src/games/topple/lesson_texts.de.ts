import type { LessonWords } from "../lesson.ts";

export const words: LessonWords[] = [
  {
    task: "Du spielst Blau. Leg einen Stein auf ein Feld, das niemandem gehört, oder auf eines deiner eigenen.",
    done: "Das Feld ist jetzt deins und hat einen Stein mehr. Auf fremde Felder legst du nie.",
  },
  {
    task: "Ein Feld ist voll, wenn es so viele Steine wie Nachbarn hat: eine Ecke mit zweien. Deine ist voll: Leg noch einen Stein darauf.",
    again: "Noch einmal: Leg auf dein volles Feld in der Ecke.",
    done: "Es ist gekippt: Jeder Nachbar bekam einen Stein und gehört jetzt dir.",
  },
  {
    task: "So erobert man Felder. Dein volles Feld in der Mitte liegt neben einem fremden: Lass es kippen.",
    again: "Noch einmal: Leg auf dein eigenes Feld mit vier Steinen.",
    done: "Der Nachbar gehört dir, mit allen Steinen, die darauf lagen.",
  },
  {
    task: "Ein Stein, der auf ein volles Feld kommt, lässt auch das kippen. Löse mit deinem vollen Feld eine Kettenreaktion aus.",
    again: "Noch einmal: Dein volles Feld liegt neben einem vollen fremden.",
    done: "Ein Stein hat drei Felder kippen lassen, und fast das ganze Brett gehört dir.",
  },
  {
    task: "Wem jedes Feld gehört, der hat gewonnen. Finde den Zug, der alle erobert.",
    again: "Noch einmal: Nur ein volles Feld löst eine Kettenreaktion aus.",
    done: "Jedes Feld gehört dir: Du hast gewonnen.",
  },
];
