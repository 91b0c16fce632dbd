import type { Palette } from "../game.ts";
import { teamLetter } from "../teams.ts";
import { words } from "./texts.ts";

/** Okabe and Ito's, as where nothing was chosen; the first is what is nobody's. */
const USUAL = ["#e9e5dd", "#0072b2", "#e69f00", "#cc79a7", "#009e73", "#56b4e9", "#d55e00"];

const written = (colour: number) => `#${colour.toString(16).padStart(6, "0")}`;

export const palette: Palette = {
  usual: USUAL,
  read: ({ colours }) => (Array.isArray(colours) && colours.length === USUAL.length ? colours.map(written) : null),
  write: (colours) => ({ colours: colours?.map((colour) => Number.parseInt(colour.slice(1), 16)) ?? null }),
  name: (index) => (index === 0 ? words.nobodys : words.team(teamLetter(index - 1))),
  hint: words.paletteHint,
};
