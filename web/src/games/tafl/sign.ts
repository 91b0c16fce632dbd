import type { GameSign } from "../card.ts";
import "./accent.css";

export const sign: GameSign = {
  game: "tafl",
  colour: "#4c8c5c",
  shape: "M5 .3L9.7 5L5 9.7L.3 5Z",
};
