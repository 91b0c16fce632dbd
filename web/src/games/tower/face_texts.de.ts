import type { Words } from "../../texts/words.ts";

export const faceWords: Words<typeof import("./face_texts.ts").faceWords> = {
  title: "Tower",
  summary: "Zu dritt, drei Ringe mit je acht Feldern: Drei eigene Zeichen in einer Linie gewinnen.",
};
