import { api } from "../wire/api.ts";
import type { Seat } from "../wire/types.ts";

/** What some options mean, as the server says it. */
export interface Explained {
  options: Record<string, unknown>;
  state: unknown;
}

/** A position that some actions lead to: what the last one did, and what may be done there. */
export interface Analysis {
  events: unknown[];
  awaited: Seat[];
  legal: unknown[];
}

export function explainOptions(game: string, options: Readonly<Record<string, unknown>>): Promise<Explained> {
  return inTurn(`/api/${game}/options`, { options });
}

/** Who did what from the start, and what came of it where that was a matter of chance. */
export type Done = readonly (readonly [Seat, unknown, (readonly unknown[])?])[];

export function analyse(
  game: string,
  options: Readonly<Record<string, unknown>>,
  actions: Done,
): Promise<Analysis> {
  return inTurn(`/api/${game}/position`, { options, actions });
}

/** The question that was asked last. */
let last: Promise<unknown> = Promise.resolve();

/** Whoever asks on this page: the server works on one such question of a person's at a time, and refuses a second one. */
function inTurn<Result>(path: string, question: object): Promise<Result> {
  const mine = last.then(() => api<Result>("POST", path, question));
  last = mine.catch(() => undefined);
  return mine;
}
