/** The words of the page around the games, in the language of this build (docs/languages.md). */
export { texts } from "./page.ts";
