import type { GameFace } from "../card.ts";
import { faceWords as words } from "./face_texts.ts";
import SeatSign from "./SeatSign.svelte";

export const face: GameFace = { title: words.title, summary: words.summary, SeatSign };
