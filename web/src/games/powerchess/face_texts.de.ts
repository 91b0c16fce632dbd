import type { Words } from "../../texts/words.ts";

export const faceWords: Words<typeof import("./face_texts.ts").faceWords> = {
  title: "Power Chess",
  summary: "Schach mit Kisten auf dem Brett: Nimm eine, wähle eine Kraft und schlage den König.",
  seats: ["Weiß", "Schwarz"],
  noBoxes: "ohne Kisten",
  download: ".pgn herunterladen",
};
