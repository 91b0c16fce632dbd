import type { AnyGame } from "../../games/game.ts";
import { calm } from "../../lib/board/motion.ts";
import { api } from "../../lib/wire/api.ts";
import { standing } from "../../lib/hall/taking_back.ts";
import type { Happening } from "../../lib/wire/happenings.ts";
import type { Summary } from "../../lib/wire/types.ts";

const STEP = 1100;
const REST = 4000;

/** The little board of a game's card: a recent real game, played over and over. */
export class Replaying {
  state: unknown = $state.raw(null);
  last: unknown[] = $state.raw([]);
  #moves: unknown[][] = [];
  #next = 0;

  constructor(
    private readonly name: string,
    private readonly game: AnyGame,
  ) {}

  run(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const tick = () => {
      timer = setTimeout(tick, this.#step());
    };
    void this.#load().then(() => {
      if (stopped || this.#moves.length === 0) return;
      // Nothing moves for those who asked for calm: they see how it ended.
      if (calm()) this.#jumpToEnd();
      else tick();
    });
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }

  async #load(): Promise<void> {
    try {
      const [latest] = await api<Summary[]>("GET", `/api/tables?state=finished&game=${this.name}&limit=1`);
      if (latest === undefined) {
        this.#begin();
        return;
      }
      const { events } = await api<{ events: Happening[] }>("GET", `/api/tables/${latest.id}/log`);
      this.#moves = standing(events).map((play) => play.events);
    } catch {
      this.#begin();
    }
  }

  /** Without a recent game the board stands there empty, ready to be played on. */
  #begin(): void {
    this.state = this.game.example;
  }

  #step(): number {
    if (this.#next >= this.#moves.length) {
      this.#next = 0;
      this.state = null;
    }
    this.last = this.#moves[this.#next++] ?? [];
    let state = this.state;
    for (const event of this.last) state = this.game.evolve(state, event);
    this.state = state;
    return this.#next >= this.#moves.length ? REST : STEP;
  }

  #jumpToEnd(): void {
    do this.#step();
    while (this.#next < this.#moves.length);
  }
}
