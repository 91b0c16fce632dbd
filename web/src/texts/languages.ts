/** Every language in which there is a page, by what it is called in itself: whoever reads it finds it. */
export const LANGUAGES: Readonly<Record<string, string>> = { en: "English", de: "Deutsch" };
