import { en } from "./en.ts";

/** The words of the page. Another language is another catalogue of this shape. */
export type Texts = typeof en;
export const texts: Texts = en;
