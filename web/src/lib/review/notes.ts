import { same } from "../same.ts";
import type { Seat } from "../wire/types.ts";

/** A move that was not played, but thought of in a review. */
export interface Step {
  id: number;
  /** The position of the game from which its line departs. */
  at: number;
  /** The step before it; null for the first of a line. */
  parent: number | null;
  seat: Seat | null;
  events: readonly unknown[];
  comment: string;
}

/** What somebody wrote about a game: words about its positions, and other ways in which it could have gone on. */
export interface Notes {
  /** By the number of the position. */
  comments: Readonly<Record<number, string>>;
  /** A step comes after the one before it; among those that go on from the same place, the first is the line. */
  steps: readonly Step[];
}

/** A position of the review: one of the game, or the one after a step. */
export interface Place {
  at: number;
  step: number | null;
}

/** A line as a file of a game can bring it: moves with words about them, and other lines instead of a move. */
export interface Line {
  /** About the position before the first move. */
  comment?: string;
  moves: readonly LineMove[];
}

export interface LineMove {
  seat: Seat | null;
  events: readonly unknown[];
  comment?: string;
  variations?: readonly Line[];
}

export const NONE: Notes = { comments: {}, steps: [] };

/** As many as a review stays clear with, and a browser can keep. */
export const MOST_STEPS = 500;
export const LONGEST_COMMENT = 1000;

export function stepOf(notes: Notes, id: number | null): Step | undefined {
  return id === null ? undefined : notes.steps.find((step) => step.id === id);
}

/** The ways to go on from a place, beside how the game itself went on. */
export function waysOn(notes: Notes, { at, step }: Place): Step[] {
  return notes.steps.filter((next) => next.parent === step && (step !== null || next.at === at));
}

/** The steps that lead to this one, itself the last. */
export function lineTo(notes: Notes, id: number): Step[] {
  const line: Step[] = [];
  for (let step = stepOf(notes, id); step !== undefined; step = stepOf(notes, step.parent)) line.unshift(step);
  return line;
}

export function commentOn(notes: Notes, { at, step }: Place): string {
  return step === null ? (notes.comments[at] ?? "") : (stepOf(notes, step)?.comment ?? "");
}

/** Go on from a place with this move. It is the same step if somebody went there before; null if there are too many. */
export function withStep(
  notes: Notes,
  from: Place,
  seat: Seat | null,
  events: readonly unknown[],
): { notes: Notes; id: number } | null {
  const known = waysOn(notes, from).find((step) => same(step.events, events));
  if (known !== undefined) return { notes, id: known.id };
  if (notes.steps.length >= MOST_STEPS) return null;
  const id = 1 + Math.max(0, ...notes.steps.map((step) => step.id));
  const step: Step = { id, at: from.at, parent: from.step, seat, events, comment: "" };
  return { notes: { ...notes, steps: [...notes.steps, step] }, id };
}

export function withComment(notes: Notes, { at, step }: Place, words: string): Notes {
  const comment = words.trim().slice(0, LONGEST_COMMENT);
  if (step !== null) {
    return { ...notes, steps: notes.steps.map((one) => (one.id === step ? { ...one, comment } : one)) };
  }
  const others = Object.fromEntries(Object.entries(notes.comments).filter(([other]) => other !== String(at)));
  return { ...notes, comments: comment === "" ? others : { ...others, [at]: comment } };
}

/** Without a step and all that goes on from it. */
export function withoutStep(notes: Notes, id: number): Notes {
  const gone = new Set([id]);
  for (const step of notes.steps) if (step.parent !== null && gone.has(step.parent)) gone.add(step.id);
  return { ...notes, steps: notes.steps.filter((step) => !gone.has(step.id)) };
}

/** A way to go on comes before the one that was before it: so it may become the line. */
export function promoted(notes: Notes, id: number): Notes {
  const step = stepOf(notes, id);
  if (step === undefined) return notes;
  const ways = waysOn(notes, { at: step.at, step: step.parent });
  const before = ways[ways.indexOf(step) - 1];
  if (before === undefined) return notes;
  const steps = notes.steps.filter((one) => one !== step);
  return { ...notes, steps: steps.toSpliced(steps.indexOf(before), 0, step) };
}

/** What a file says of its game; its first line is the game itself. */
export function notesOf(line: Line): Notes {
  const comments: Record<number, string> = line.comment ? { 0: line.comment } : {};
  const steps: Step[] = [];
  const add = (from: Place, variation: Line): void => {
    let place = from;
    for (const move of variation.moves) {
      if (steps.length >= MOST_STEPS) return;
      const before = place;
      const id = steps.length + 1;
      steps.push({ id, at: from.at, parent: before.step, seat: move.seat, events: move.events, comment: move.comment ?? "" });
      place = { at: from.at, step: id };
      for (const other of move.variations ?? []) add(before, other);
    }
  };
  line.moves.forEach((move, index) => {
    if (move.comment) comments[index + 1] = move.comment;
    for (const other of move.variations ?? []) add({ at: index, step: null }, other);
  });
  return { comments, steps };
}
