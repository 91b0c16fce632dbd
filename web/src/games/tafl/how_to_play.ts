import type { Rules } from "../game.ts";
import { begun, type TaflEvent, type TaflState } from "./rules.ts";
import { rulesWords as words } from "./how_to_play_texts.ts";
import { VARIANTS } from "./variants.ts";

function arranged(rows: readonly string[], settings = ""): TaflState {
  const size = rows.length;
  const rules = `dim:${size} name:Tafl ${settings} start:/${rows.toReversed().join("/")}/`;
  return begun(rules);
}

const PICTURES = {
  capture: [".......", "....t..", ".......", "..tT...", "...K...", ".......", "......."],
  throne: [".......", "...t...", "...T...", ".t...t.", "..K....", "...t...", "......."],
  escape: [".......", "..t....", "....T..", ".t.....", "......t", "...t...", "...K..."],
  shieldwall: [".......", ".......", ".......", "..K....", ".t.....", "..ttt..", "..TTTt."],
  fort: [".......", "..t.t..", ".......", ".t...t.", "..TTT..", ".T...T.", ".TK..T."],
};

/** The number of a space of these boards, by its name. */
const at = (name: string) => (Number(name[1]) - 1) * 7 + name.charCodeAt(0) - "a".charCodeAt(0);
const part = (one: string, other: string): readonly [string, string] => [String(at(one)), String(at(other))];
const moved = (seat: 0 | 1, start: string, end: string, ...captured: string[]): TaflEvent => ({
  type: "moved",
  seat,
  start: at(start),
  end: at(end),
  record: "",
  captured: captured.map(at),
});

export const rules: Rules<TaflState, TaflEvent> = {
  short: words.shortRules,
  pictures: [
    {
      state: arranged(PICTURES.capture, "cen: cor:"),
      then: [moved(0, "e6", "e4", "d4")],
      text: words.pictures.capture,
      crop: part("b3", "f6"),
    },
    { state: arranged(PICTURES.throne), text: words.pictures.throne },
    {
      state: arranged(PICTURES.escape),
      then: [moved(1, "d1", "g1"), { type: "ended", winner: 1, reason: "escape" }],
      text: words.pictures.escape,
      crop: part("c1", "g4"),
    },
    {
      state: arranged(PICTURES.shieldwall),
      then: [moved(0, "b3", "b1", "c1", "d1", "e1")],
      text: words.pictures.shieldwall,
      crop: part("a1", "f4"),
    },
    { state: arranged(PICTURES.fort), text: words.pictures.fort, crop: part("a1", "g4") },
    { state: begun(VARIANTS.brandub!), text: words.pictures.brandub },
    { state: begun(VARIANTS.tablut!), text: words.pictures.tablut },
    { state: begun(VARIANTS.copenhagen!), text: words.pictures.copenhagen },
    { state: begun(VARIANTS.berserk!), text: words.pictures.berserk },
  ],
  full: [...words.fullRules, words.advice],
};
