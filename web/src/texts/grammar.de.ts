import { inLanguage } from "./in_language.ts";

const german = inLanguage("de");
export const { number, list, either, day, time } = german;

export const plural = (count: number, one: string, many: string): string => german.counted(count, { one, other: many });
