import { explainOptions, type Explained } from "../../lib/hall/analysis.ts";
import { Refused } from "../../lib/wire/refused.ts";

const PAUSE = 300;
const AGAIN = 1500;

export interface Problem {
  message: string;
  place: { line: number; column: number } | null;
}

/** Rules that somebody writes, checked by the server while they do: one question at a time, and only about the newest. */
export class RulesCheck {
  /** What was found out about the newest text; null while that is not known. */
  found: Explained | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  #wanted: string | null = null;
  #asking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: (rules: string) => Promise<Explained> = (rules) => explainOptions("tafl", { rules })) {}

  check(rules: string, pause = PAUSE): void {
    this.#wanted = rules;
    this.found = null;
    this.problem = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), pause);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#wanted = null;
  }

  async #run(): Promise<void> {
    const rules = this.#wanted;
    if (this.#asking || rules === null) return;
    this.#asking = true;
    const [found, problem] = await this.#answer(rules);
    this.#asking = false;
    if (this.#wanted !== rules) {
      void this.#run();
      return;
    }
    if (found === null && problem === null) {
      this.#timer = setTimeout(() => void this.#run(), AGAIN);
      return;
    }
    this.found = found;
    this.problem = problem;
  }

  /** Neither if it has to be asked again: too many were asked, or the server did not answer. */
  async #answer(rules: string): Promise<[Explained | null, Problem | null]> {
    try {
      return [await this.ask(rules), null];
    } catch (error) {
      const known = error instanceof Refused && error.code !== "too_many_tries" && error.code !== "failed";
      return [null, known ? { message: error.message, place: error.place } : null];
    }
  }
}
