import type { PowerName, Rarity } from "./rules.ts";

export const powerTitles: Readonly<Record<PowerName, string>> = {
  adjust: "Zurechtrücken",
  rewind: "Zurückspulen",
  second_effort: "Zweiter Anlauf",
  shield: "Schild",
  swap: "Platztausch",
  black_hole: "Schwarzes Loch",
  energize: "Schwung",
  eye_for_an_eye: "Auge um Auge",
  safety_net: "Fangnetz",
  send_away: "Heimschicken",
  armageddon: "Armageddon",
  awaken: "Erwachen",
  clone: "Klon",
  reanimate: "Wiederbeleben",
};

export const rarityWords: Readonly<Record<Rarity, string>> = { common: "gewöhnlich", rare: "selten", legendary: "legendär" };
