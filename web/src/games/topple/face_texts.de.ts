import type { Words } from "../../texts/words.ts";

export const faceWords: Words<typeof import("./face_texts.ts").faceWords> = {
  title: "Topple",
  summary: "Häufe Steine auf: Ein zu volles Feld kippt und erobert seine Nachbarn. Hol dir jedes Feld.",
  joined: { hwrap: "Seiten verbunden", vwrap: "oben und unten verbunden", bwrap: "alle Ränder verbunden" },
  scoring: { elim: "Wer übrig bleibt", tile: "Punkte für Felder", piece: "Punkte für Steine" },
  scored: { tile: "Punkte für Felder", piece: "Punkte für Steine" },
  teams: [
    { value: [], text: "Keine", listed: null },
    { value: [1, 2, 1, 2, 1, 2, 1, 2, 1, 2], text: "Zwei", listed: "zwei Teams" },
    { value: [1, 2, 3, 1, 2, 3, 1, 2, 3, 1], text: "Drei", listed: "drei Teams" },
  ],
  inTeams: "in Teams",
  download: ".topl herunterladen",
  downloadSuspended: ".stpl herunterladen",
};
