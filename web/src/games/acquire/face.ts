import type { GameFace } from "../card.ts";
import { faceWords as words } from "./face_texts.ts";
import type { AcquireState } from "./rules.ts";
import SeatSign from "./SeatSign.svelte";

/** Mode, time control, players: how review data begins. */
const REVIEW = /^\s*\[\s*(?:\d|"[A-Z0-9_]+")\s*,\s*(?:null|\d+)\s*,\s*\d+\s*,\s*\[/;

export const face: GameFace<AcquireState> = {
  title: words.title,
  summary: words.summary,
  seatName: words.seat,
  SeatSign,
  gist: ({ mode, order }) => [
    // How many play alone is said by the seats.
    ...(typeof mode === "string" && !mode.startsWith("singles_") ? [words.mode(mode)] : []),
    ...(typeof order === "string" && words.orders[order] !== undefined ? [words.orders[order]] : []),
  ],
  files: {
    endings: [".acquire"],
    read: "/api/acquire/files",
    finished: { name: "game.acquire", text: words.download },
  },
  brought: (text) => (REVIEW.test(text) ? { file: "pasted.acquire" } : null),
};
