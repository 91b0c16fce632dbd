import type { GameCard } from "../card.ts";
import { face } from "./face.ts";

export const card: GameCard = { face, load: async () => (await import("./index.ts")).powerchess };
