import type { Rules } from "../game.ts";
import { arranged, at, EXAMPLE } from "./example.ts";
import { rulesWords as words } from "./how_to_play_texts.ts";
import PowerCards from "./PowerCards.svelte";
import type { PowerChessEvent, PowerChessState } from "./rules.ts";

const part = (one: string, other: string): readonly [string, string] => [String(at(one)), String(at(other))];

const pictures: Rules<PowerChessState, PowerChessEvent>["pictures"] = [
  {
    state: EXAMPLE,
    then: [{ type: "moved", seat: 0, start: at("f3"), end: at("d4"), took: "rare" }],
    text: words.pictures.boxes,
    crop: part("c2", "g5"),
  },
  {
    state: arranged(["....k...", "........", "........", "........", "....N...", "........", "........", "....K..."], {
      marks: [{ square: at("e4"), shield: 5 }],
      ply: 1,
    }),
    text: words.pictures.shield,
    crop: part("d3", "f5"),
  },
  {
    state: arranged(["....k...", "........", "..ppp...", "........", "...P....", "..P.P...", "........", "....K..."], {
      energized: [9, 0],
      ply: 1,
    }),
    crop: part("b3", "f6"),
    text: words.pictures.energized,
  },
  {
    state: arranged(["....k...", "........", "........", "...b....", "....Q...", "........", "........", "....K..."], {
      marks: [{ square: at("e4"), awake: 7, really: "P" }],
      ply: 1,
    }),
    crop: part("d4", "f5"),
    text: words.pictures.awake,
  },
  {
    state: arranged(["....k...", "........", "........", "....r...", "....B...", "........", "........", "....K..."], {
      marks: [{ square: at("e4"), net: true }],
    }),
    then: [
      { type: "moved", seat: 1, start: at("e5"), end: at("e4"), saved: at("c1"), updates: [{ square: at("c1"), shown: "B" }], marks: [] },
    ],
    crop: part("c1", "f5"),
    text: words.pictures.net,
  },
  {
    state: arranged(["....k...", "........", "....r...", "........", "....N...", "........", "........", "....K..."], {
      holes: [{ square: at("e5"), end: 12 }],
      ply: 2,
    }),
    then: [{ type: "moved", seat: 1, start: at("e6"), end: at("e4"), captured: "N" }],
    crop: part("d4", "f6"),
    text: words.pictures.hole,
  },
];

/** How to play: long, and fetched by those who ask. */
export const rules: Rules<PowerChessState, PowerChessEvent> = {
  short: words.shortRules,
  pictures,
  Cards: PowerCards,
  full: words.fullRules,
};
