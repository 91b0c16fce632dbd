/** What a bot's face is put together from. The same name has the same face, everywhere and always. */
export interface BotFeatures {
  /** A hue in degrees, of the skin that is not one. */
  hue: number;
  head: "round" | "square" | "tall" | "drop";
  eyes: "dots" | "rings" | "lids" | "visor";
  mouth: "smile" | "flat" | "small" | "grid";
  top: "none" | "aerial" | "ears" | "tuft";
}

const HEADS = ["round", "square", "tall", "drop"] as const;
const EYES = ["dots", "rings", "lids", "visor"] as const;
const MOUTHS = ["smile", "flat", "small", "grid"] as const;
const TOPS = ["none", "aerial", "ears", "tuft"] as const;
/** Calm ones, apart from each other. */
const HUES = 12;

/** FNV-1a, and a last stir: names that differ in one letter should not look like twins. */
function stirred(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export function featuresOf(name: string): BotFeatures {
  let rest = stirred(name);
  const drawn = (choices: number): number => {
    const chosen = rest % choices;
    rest = Math.floor(rest / choices);
    return chosen;
  };
  return {
    hue: (drawn(HUES) * 360) / HUES,
    head: HEADS[drawn(HEADS.length)]!,
    eyes: EYES[drawn(EYES.length)]!,
    mouth: MOUTHS[drawn(MOUTHS.length)]!,
    top: TOPS[drawn(TOPS.length)]!,
  };
}
