import { texts } from "../texts/index.ts";
import { Refused } from "./wire/refused.ts";

export interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

const SHOWN = 5000;
const MOST = 3;

/** Short messages at the edge of the page, read aloud as they come. */
class Toasts {
  list: Toast[] = $state.raw([]);
  #next = 1;
  /** What is open over the page, the topmost last. */
  #dialogs: ((problem: string) => void)[] = [];

  /** While a dialog is open, what goes wrong is said in it: behind it nobody could read it, and none would hear it. */
  within(dialog: (problem: string) => void): () => void {
    this.#dialogs = [...this.#dialogs, dialog];
    return () => (this.#dialogs = this.#dialogs.filter((one) => one !== dialog));
  }

  say(text: string, bad = false): void {
    const dialog = this.#dialogs.at(-1);
    if (bad && dialog !== undefined) {
      dialog(text);
      return;
    }
    const toast = { id: this.#next++, text, bad };
    this.list = [...this.list, toast].slice(-MOST);
    setTimeout(() => this.dismiss(toast.id), SHOWN);
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** What went wrong, in the server's words or ours. */
  explain(error: unknown): void {
    this.say(reason(error), true);
  }
}

export function reason(error: unknown): string {
  if (error instanceof Refused) {
    if (error.code === "not_sent") return texts.connection.notSent;
    return error.code === "connection_lost" ? texts.connection.lostAnswer : error.message;
  }
  return error instanceof TypeError ? texts.error.unreachable : texts.error.unexpected;
}

export const toasts = new Toasts();
