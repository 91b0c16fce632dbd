import type { Words } from "../../texts/words.ts";

const TEAMS: Record<string, string> = {
  teams_2_vs_2: "Teams, 2 gegen 2",
  teams_2_vs_2_vs_2: "Teams, 2 gegen 2 gegen 2",
  teams_3_vs_3: "Teams, 3 gegen 3",
};

export const faceWords: Words<typeof import("./face_texts.ts").faceWords> = {
  title: "Acquire",
  summary: "Gründe Hotelketten, kaufe ihre Aktien und lass dich im richtigen Moment auszahlen.",
  seat: (seat) => `Spieler ${seat + 1}`,
  mode: (name) => TEAMS[name] ?? `Einzeln (${name.slice("singles_".length)})`,
  orders: { exact: "in der Reihenfolge der Plätze", teams: "Teams, wie sie sitzen" },
  download: ".acquire herunterladen",
};
