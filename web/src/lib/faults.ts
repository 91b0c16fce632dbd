import { texts } from "../texts/index.ts";
import { toasts } from "./toasts.svelte.ts";

/** What went wrong on this page without anybody expecting it: said in the console, and counted. */
class Faults {
  count = 0;

  /** A part of the page broke, and says so in its place. */
  note(where: string, error: unknown): void {
    console.error(`Something went wrong in ${where}:`, error);
    this.#counted();
  }

  /** What nobody caught: the browser has said it in the console already. */
  listen(): void {
    const heard = () => {
      this.#counted();
      toasts.say(texts.error.uncaught, true);
    };
    window.addEventListener("error", heard);
    window.addEventListener("unhandledrejection", heard);
  }

  #counted(): void {
    this.count++;
    // For whoever is asked for help, and for tests.
    document.documentElement.dataset.faults = String(this.count);
  }
}

export const faults = new Faults();
