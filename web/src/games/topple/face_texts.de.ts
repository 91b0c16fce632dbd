import type { Words } from "../../texts/words.ts";

const COUNTED: Readonly<Record<string, string>> = { Zwei: "zwei", Drei: "drei" };

export const faceWords: Words<typeof import("./face_texts.ts").faceWords> = {
  title: "Topple",
  summary: "Häufe Steine auf: Ein zu volles Feld kippt und nimmt seine Nachbarn. Erobere jedes Feld.",
  joined: { hwrap: "Seiten verbunden", vwrap: "oben und unten verbunden", bwrap: "alle Ränder verbunden" },
  scoring: { elim: "Wer übrig bleibt", tile: "Punkte für Felder", piece: "Punkte für Steine" },
  teams: [
    { value: [], text: "Keine" },
    { value: [1, 2, 1, 2, 1, 2, 1, 2, 1, 2], text: "Zwei" },
    { value: [1, 2, 3, 1, 2, 3, 1, 2, 3, 1], text: "Drei" },
  ],
  inTeams: "in Mannschaften",
  someTeams: (count) => `${COUNTED[count] ?? count} Mannschaften`,
  download: ".topl herunterladen",
  downloadSuspended: ".stpl herunterladen",
};
