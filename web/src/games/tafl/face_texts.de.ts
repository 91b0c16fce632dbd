import type { Words } from "../../texts/words.ts";

export const faceWords: Words<typeof import("./face_texts.ts").faceWords> = {
  title: "Tafl",
  summary: "Ein König und seine wenigen Getreuen gegen viele: Bring ihn in Sicherheit, oder fang ihn.",
  seats: ["Angreifer", "Verteidiger"],
  goesOn: "geht weiter",
  quirks: "wie OpenTafl",
  download: ".otg herunterladen",
};
