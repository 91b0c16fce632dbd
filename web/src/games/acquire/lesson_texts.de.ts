import type { LessonWords } from "../lesson.ts";

export const words: LessonWords[] = [
  {
    task: "Diese sechs Steine sind deine, und jeder hat seinen Platz auf dem Brett. Leg irgendeinen.",
    done: "Ein einzelner Stein ist ein Haus. Du hast dafür einen neuen gezogen.",
  },
  {
    task: "Ein Stein neben einem Haus gründet eine Hotelkette. Einer von deinen tut das: Er ist mit „neu“ markiert. Leg ihn.",
    again: "Noch einmal: Leg 5D, gleich unter dem Haus auf 5C.",
    done: "Zwei Steine nebeneinander sind eine Kette.",
  },
  {
    task: "Wer eine Kette gründet, wählt ihren Namen und bekommt eine Aktie geschenkt. Wähle eine.",
    done: "Die Kette ist auf dem Brett, und eine Aktie davon gehört dir.",
  },
  {
    task: "Dann darfst du bis zu drei Aktien kaufen, von jeder Kette auf dem Brett. Kauf mindestens eine.",
    again: "Noch einmal: Nimm eine Aktie oder mehr, bevor du weitergehst.",
    done: "Je größer die Kette wird, desto mehr sind deine Aktien wert.",
  },
  {
    task: "Ein Stein zwischen zwei Ketten fusioniert sie, und die größere schluckt die kleinere. Von Luxor, der kleineren, hast du am meisten: Leg den Stein dazwischen.",
    again: "Noch einmal: 6E liegt zwischen Luxor und Imperial.",
    done: "Als größter Aktionär von Luxor hast du 3.000\u00a0$ bekommen. Nun würden ihre Aktien verkauft, behalten oder zwei gegen eine getauscht.",
  },
];
