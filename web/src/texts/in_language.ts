/** The forms of a word that goes with a number, by the rules of CLDR: English and German have `one` and `other`. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** How one language writes numbers, lists, days and times. */
export function inLanguage(language: string) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const lists = new Intl.ListFormat(language, { type: "conjunction" });
  const choices = new Intl.ListFormat(language, { type: "disjunction" });
  const days = new Intl.DateTimeFormat(regional(language), { day: "numeric", month: "short", year: "numeric" });
  const times = new Intl.DateTimeFormat(regional(language), { hour: "2-digit", minute: "2-digit" });
  return {
    number: (number: number): string => numbers.format(number),
    /** A number with the form of the word that goes with it. */
    counted: (count: number, forms: Forms): string => `${numbers.format(count)} ${forms[rules.select(count)] ?? forms.other}`,
    list: (words: readonly string[]): string => lists.format(words),
    either: (words: readonly string[]): string => choices.format(words),
    day: (at: number): string => days.format(at),
    time: (at: number): string => times.format(at),
  };
}

/** The language as it is written where the browser's person lives, if they have chosen such a one. */
function regional(language: string): string {
  const base = language.split("-")[0];
  return globalThis.navigator?.languages?.find((wished) => wished.split("-")[0] === base) ?? language;
}
