import type { GameSign } from "../card.ts";
import "./accent.css";

export const sign: GameSign = {
  game: "tower",
  colour: "#2b9cb5",
  shape: "M5 .8L9.6 9H.4Z",
};
