import { inLanguage } from "./in_language.ts";

// As written in Britain: "a, b and c".
const english = inLanguage("en-GB");
export const { number, list, either, day, time } = english;

export const plural = (count: number, one: string, many: string): string => english.counted(count, { one, other: many });
