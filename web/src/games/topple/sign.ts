import type { GameSign } from "../card.ts";
import "./accent.css";

export const sign: GameSign = {
  game: "topple",
  colour: "#e8694a",
  shape: "M1.2 1.2H8.8V8.8H1.2Z",
};
