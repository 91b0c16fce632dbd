import type { GameSign } from "../card.ts";
import "./accent.css";

export const sign: GameSign = {
  game: "powerchess",
  colour: "#8457d6",
  shape: "M5 .3L6.3 3.5L9.8 3.8L7.1 6L8 9.5L5 7.6L2 9.5L2.9 6L.2 3.8L3.7 3.5Z",
};
