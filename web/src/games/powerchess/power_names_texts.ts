import type { PowerName, Rarity } from "./rules.ts";

/** What the powers are called. */
export const powerTitles: Readonly<Record<PowerName, string>> = {
  adjust: "Adjust",
  rewind: "Rewind",
  second_effort: "Second Effort",
  shield: "Shield",
  swap: "Swap",
  black_hole: "Black Hole",
  energize: "Energize",
  eye_for_an_eye: "Eye for an Eye",
  safety_net: "Safety Net",
  send_away: "Send Away",
  armageddon: "Armageddon",
  awaken: "Awaken",
  clone: "Clone",
  reanimate: "Reanimate",
};

export const rarityWords: Readonly<Record<Rarity, string>> = { common: "common", rare: "rare", legendary: "legendary" };
