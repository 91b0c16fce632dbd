import { inLanguage } from "./in_language.ts";

// As written in Britain: "a, b and c".
const english = inLanguage("en-GB");
export const { number, list, either, day, time } = english;

export const plural = (count: number, one: string, many: string): string => english.counted(count, { one, other: many });

const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
/** 1st, 2nd, 3rd. */
export const ordinal = (number: number): string => `${number}${ENDINGS[ordinals.select(number)]!}`;
