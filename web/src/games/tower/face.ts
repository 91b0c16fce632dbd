import type { GameFace } from "../card.ts";
import SeatSign from "./SeatSign.svelte";

export const face: GameFace = { SeatSign };
