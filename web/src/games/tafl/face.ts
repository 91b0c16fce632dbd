import type { GameFace } from "../card.ts";
import { faceWords as words } from "./face_texts.ts";
import type { TaflState } from "./rules.ts";
import SeatSign from "./SeatSign.svelte";

const RULES = /^\s*(?:\w+:\S*\s+)*dim:\d/;

export const face: GameFace<TaflState> = {
  title: words.title,
  summary: words.summary,
  seatName: (seat) => words.seats[seat],
  SeatSign,
  gist: ({ title, quirks, moves }) => [
    ...(typeof title === "string" ? [title] : []),
    ...((Array.isArray(moves) ? moves.length > 0 : moves) ? [words.goesOn] : []),
    ...(quirks === true ? [words.quirks] : []),
  ],
  files: {
    endings: [".otg"],
    read: "/api/tafl/files",
    resume: "/api/tafl/tables",
    finished: { name: "game.otg", text: words.download },
  },
  brought: (text) => {
    if (/^\uFEFF?\s*\[/.test(text) && text.includes("[rules:")) return { file: "pasted.otg" };
    return RULES.test(text) ? { options: { rules: text.trim().replace(/\s+/g, " ") } } : null;
  },
};
