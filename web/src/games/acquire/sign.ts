import type { GameSign } from "../card.ts";
import "./accent.css";

export const sign: GameSign = {
  game: "acquire",
  colour: "#d9a325",
  shape: "M5 .4L9 2.7V7.3L5 9.6L1 7.3V2.7Z",
};
