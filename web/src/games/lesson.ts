import type { Seat } from "../lib/wire/types.ts";

/** What is said of a step of a lesson. */
export interface LessonWords {
  /** What to do, in one sentence. */
  task: string;
  /** To somebody who has done something else that is allowed; not needed where anything is right. */
  again?: string;
  /** What has just been seen. */
  done: string;
}

/** A small position to play. All of it is written by the rules, at the server: nobody needs them here. */
export interface LessonStep<State = unknown, Action = unknown, Event = unknown> extends LessonWords {
  state: State;
  /** Who plays. */
  seat: Seat;
  legal: readonly Action[];
  /** What was asked for, and what it brings. */
  right: readonly { action: Action; events: readonly Event[] }[];
}

export type Lesson = readonly LessonStep[];

/** The positions of a lesson (tests/games/support/lessons.py), and what is said of each. */
export function lessonOf(positions: readonly unknown[], words: readonly LessonWords[]): Lesson {
  return positions.map((position, index) => ({ ...(position as LessonStep), ...words[index]! }));
}
