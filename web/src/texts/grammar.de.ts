import { inLanguage } from "./in_language.ts";

const german = inLanguage("de");
export const { number, list, either, day, time } = german;

export const plural = (count: number, one: string, many: string): string => german.counted(count, { one, other: many });

/** 1., 2., 3. */
export const ordinal = (number: number): string => `${number}.`;
