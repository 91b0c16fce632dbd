import type { GameFace } from "../card.ts";
import { faceWords as words } from "./face_texts.ts";
import type { PowerChessState } from "./rules.ts";
import SeatSign from "./SeatSign.svelte";

export const face: GameFace<PowerChessState> = {
  title: words.title,
  summary: words.summary,
  seatName: (seat) => words.seats[seat],
  SeatSign,
  gist: ({ boxes }) => (boxes === false ? [words.noBoxes] : []),
  files: {
    endings: [".pgn"],
    read: "/api/powerchess/files",
    finished: { name: "game.pgn", text: words.download },
  },
  // The server says of other chess what is different about it.
  brought: (text) => (/^[ \t]*\[(Event|White|Variant) "/m.test(text) ? { file: "pasted.pgn" } : null),
};
