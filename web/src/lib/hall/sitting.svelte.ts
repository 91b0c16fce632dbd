import { toasts } from "../toasts.svelte.ts";
import { Refused } from "../wire/refused.ts";
import type { Seat } from "../wire/types.ts";
import { hall } from "./hall.svelte.ts";

interface Question {
  /** What was wrong with the last answer. */
  wrong: string | null;
  answer: (password: string | null) => void;
}

/** Sitting down, and the password that a table may ask for. */
class Sitting {
  question: Question | null = $state.raw(null);

  /** Whether one sits there now. Who has the link needs no password. */
  async down(table: { id: string; locked: boolean }, wish: { seat?: Seat; key?: string }): Promise<boolean> {
    let ask = table.locked && wish.key === undefined;
    let wrong: string | null = null;
    for (;;) {
      const password: string | null = ask ? await this.#password(wrong) : null;
      if (ask && password === null) return false;
      try {
        await hall.ask({ type: "sit", table: table.id, ...wish, ...(password === null ? {} : { password }) });
        return true;
      } catch (error) {
        if (!(error instanceof Refused) || (error.code !== "wrong_password" && error.code !== "locked")) {
          toasts.explain(error);
          return false;
        }
        wrong = error.code === "wrong_password" ? error.message : null;
        ask = true;
      }
    }
  }

  #password(wrong: string | null): Promise<string | null> {
    this.question?.answer(null);
    return new Promise((resolve) => {
      this.question = {
        wrong,
        answer: (password) => {
          this.question = null;
          resolve(password);
        },
      };
    });
  }
}

export const sitting = new Sitting();
