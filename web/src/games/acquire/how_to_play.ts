import type { Rules } from "../game.ts";
import { arranged, at } from "./example.ts";
import { onBoard } from "./choosing.ts";
import { rulesWords as words } from "./how_to_play_texts.ts";
import type { AcquireEvent, AcquireState } from "./rules.ts";

const part = (one: number, other: number): readonly [string, string] => [onBoard(one), onBoard(other)];
/** The first player plays a tile, and these lots become what is said. */
const played = (tile: number, cells: [number, string][]): AcquireEvent => ({
  type: "acted",
  seat: 0,
  action: { type: "PlayTile", tile },
  history: [],
  next: { seat: 0, action: "PurchaseShares", turn: 0 },
  cells,
});

const PICTURES: Rules<AcquireState, AcquireEvent>["pictures"] = [
  {
    state: arranged(
      ["............", "..O.........", "............", "....O.......", "............", ".......O....", "............", "..O.........", "............"],
      [at(5, "E"), at(2, "B"), at(9, "C"), at(9, "D"), at(11, "H"), at(6, "A")],
    ),
    text: words.pictures.tiles,
    viewer: 0,
  },
  {
    state: arranged(["............", "............", "....O.......", "............", "..O.........", "............", "........O...", "............", "............"]),
    then: [played(at(5, "D"), [[at(5, "C"), "L"], [at(5, "D"), "L"]])],
    text: words.pictures.found,
    crop: part(at(3, "B"), at(7, "E")),
  },
  {
    state: arranged(["............", "............", "............", "............", "...LL.III...", "...L..II....", "............", ".........O..", "............"]),
    then: [played(at(6, "E"), [[at(4, "E"), "I"], [at(5, "E"), "I"], [at(4, "F"), "I"], [at(6, "E"), "I"]])],
    text: words.pictures.merge,
    crop: part(at(4, "D"), at(9, "G")),
  },
  {
    state: arranged(["............", ".TTTT.......", ".TTTT#FFFF..", ".TTT..FFFF..", "..T...FFF...", ".....FF.....", "............", "...O........", "............"]),
    text: words.pictures.safe,
    crop: part(at(2, "B"), at(11, "F")),
  },
];

export const rules: Rules<AcquireState, AcquireEvent> = {
  short: words.shortRules,
  pictures: PICTURES,
  full: [...words.fullRules, words.advice],
};
