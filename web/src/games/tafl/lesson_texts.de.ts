import type { LessonWords } from "../lesson.ts";

export const words: LessonWords[] = [
  {
    task: "Du spielst die Angreifer, die dunklen Steine. Zieh mit irgendeinem geradeaus, so weit du willst.",
    done: "So ziehen alle, auch der König. Niemand springt über jemanden.",
  },
  {
    task: "Zieh so, dass ein Verteidiger zwischen zwei deiner Steine steht: Er ist geschlagen.",
    again: "Noch einmal: Einer deiner Steine steht schon neben einem Verteidiger. Geh auf dessen andere Seite.",
    done: "Geschlagen. Wer von sich aus zwischen zwei Feinde zieht, ist sicher.",
  },
  {
    task: "Eine leere Ecke gilt für alle als Feind. Schlag den Verteidiger, der neben einer steht.",
    again: "Noch einmal: Der Verteidiger steht oben links. Nimm das Feld auf seiner anderen Seite.",
    done: "Ein Stein und die Ecke haben gereicht.",
  },
  {
    task: "Jetzt spielst du die Verteidiger. Bring den König in eine Ecke, und du hast gewonnen.",
    again: "Noch einmal: Der König zieht, so weit der Weg frei ist. Auf einer Seite ist er bis zur Ecke frei.",
    done: "Der König ist entkommen. In manchen Varianten reicht jedes Feld am Rand.",
  },
  {
    task: "Du spielst wieder die Angreifer. Hier wird der König zwischen zweien geschlagen, wie alle: Schlag ihn.",
    again: "Noch einmal: Einer deiner Steine steht über dem König. Ein anderer muss auf das Feld unter ihm.",
    done: "Der König ist geschlagen, und die Angreifer haben gewonnen. In größeren Varianten braucht es vier.",
  },
];
