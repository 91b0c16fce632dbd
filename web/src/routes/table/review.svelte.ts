import { faults } from "../../lib/faults.ts";
import { reached, type Position } from "../../lib/hall/table.ts";
import type { Done } from "../../lib/hall/analysis.ts";
import { same } from "../../lib/same.ts";
import { Analyst } from "../../lib/review/analyst.ts";
import { browserShelf, readNotes, writeNotes } from "../../lib/review/kept.ts";
import {
  commentOn,
  lineTo,
  NONE,
  notesOf,
  promoted,
  stepOf,
  waysOn,
  withComment,
  withoutStep,
  withStep,
  type Notes,
  type Place,
  type Step,
} from "../../lib/review/notes.ts";
import { toasts } from "../../lib/toasts.svelte.ts";
import type { Seat } from "../../lib/wire/types.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";
import { Puzzle } from "./puzzle.svelte.ts";

/** A finished game that somebody looks through: with lines of their own, and words about it, kept in this browser. */
export class Review {
  #all: Notes = $state.raw(NONE);
  /** The step that is looked at; null for a position of the game itself. */
  step: number | null = $state(null);
  /** Whether somebody is writing about the place that is looked at. */
  writing = $state(false);

  #shelf = browserShelf();

  constructor(private readonly at: AtTable) {
    this.#all = at.file === null ? readNotes(this.#shelf, at.store.id) : notesOf(at.file.line);
    this.puzzle = at.file?.puzzle ? new Puzzle(at, this, at.file.puzzle) : null;
  }

  /** The game as a question, if it is one and was not given up yet. */
  readonly puzzle: Puzzle | null;
  /** What is written; of a puzzle that is being solved, what was found of it. */
  readonly notes: Notes = $derived.by(() => (this.puzzle?.solving === true ? this.puzzle.found(this.#all) : this.#all));
  get everything(): Notes {
    return this.#all;
  }

  /** The position after each step, as far as the steps make sense in this game. */
  readonly #positions: ReadonlyMap<number, Position> = $derived.by(() => {
    const found = new Map<number, Position>();
    for (const step of this.notes.steps) {
      const before = step.parent === null ? this.at.positions[step.at] : found.get(step.parent);
      const after = before === undefined ? null : this.#after(before, step);
      if (after !== null) found.set(step.id, after);
    }
    return found;
  });

  #after(before: Position, { seat, events }: Step): Position | null {
    const game = this.at.game;
    if (game === null) return null;
    try {
      return { ...reached(game, before.state, events), seat, why: "acted", at: before.at };
    } catch (error) {
      // What is kept may be from another version of the game.
      faults.note("a line that was kept", error);
      return null;
    }
  }

  readonly place: Place = $derived.by(() => {
    const step = stepOf(this.notes, this.step);
    return step === undefined ? { at: this.at.index, step: null } : { at: step.at, step: step.id };
  });
  /** The position after the step that is looked at; null while the game itself is. */
  readonly position: Position | null = $derived(this.positionOf(this.step));
  readonly before: Position | null = $derived.by(() => {
    const step = stepOf(this.notes, this.step);
    if (step === undefined) return null;
    return (step.parent === null ? this.at.positions[step.at] : this.#positions.get(step.parent)) ?? null;
  });
  readonly comment = $derived(commentOn(this.notes, this.place));

  positionOf(step: number | null): Position | null {
    return step === null ? null : (this.#positions.get(step) ?? null);
  }

  // Lines of one's own

  /** Who would move here; lines are for games that this page can play on, or the server. */
  readonly actor: Seat | null = $derived.by(() => {
    const { game, reviewing, position, eyes } = this.at;
    if (!reviewing || game === null || position === null || eyes !== null) return null;
    if (game.play === undefined && this.done === null) return null;
    if (this.puzzle?.solving === true && !this.puzzle.mayPlay(this.place)) return null;
    return game.awaited(position.state)[0] ?? null;
  });
  /** What may be done here; null while that is asked of the server. */
  readonly actions: readonly unknown[] | null = $derived.by(() => {
    const { game, position } = this.at;
    if (this.actor === null || position === null) return [];
    if (game?.legal !== undefined) return game.legal(position.state, this.actor);
    return this.#told?.done === this.done ? (this.#told?.legal ?? null) : null;
  });

  /** For games that the server plays on: all that was done from the start up to here; null if that cannot be said. */
  readonly done: Done | null = $derived.by(() => {
    const { game, positions, traits } = this.at;
    if (game?.analysed === undefined) return null;
    const { at, step } = this.place;
    const line = step === null ? [] : lineTo(this.notes, step).map(({ id }) => this.positionOf(id));
    const places = [...positions.slice(0, at + 1), ...line].filter((position) => position !== null);
    const done = places.slice(1).flatMap(({ seat, events }, index): Done => {
      const action = this.actionOf(events, places[index]!.state);
      if (seat === null || action === null) return [];
      return traits?.chance === true ? [[seat, action, events]] : [[seat, action]];
    });
    return done.length === at + line.length ? done : null;
  });
  #told: { done: Done; legal: readonly unknown[] } | null = $state.raw(null);
  /** Where it was asked last. */
  #asked: Done | null = null;
  readonly #analyst = $derived.by(() => {
    const { table } = this.at;
    return table === null ? null : new Analyst(table.game, table.options);
  });
  /** Whether the server must be asked what may be done here. */
  readonly needsTelling = $derived.by(
    () => this.actor !== null && this.at.game?.legal === undefined && this.#told?.done !== this.done,
  );

  async learnActions(): Promise<void> {
    const { done } = this;
    if (done === null) return;
    this.#asked = done;
    try {
      // Whoever has left by then is not looked for.
      const found = await this.#analyst?.find(done, () => this.#asked === done);
      if (found) this.#told = { done, legal: found.legal };
    } catch (error) {
      toasts.explain(error);
    }
  }

  /** The action that a move came of, in games that say so. */
  actionOf(events: readonly unknown[], before: unknown): unknown {
    const { game } = this.at;
    return events.map((event) => game?.analysed?.action(event, before) ?? null).find((action) => action !== null) ?? null;
  }

  /** Whether the game went on with this action here. Then that is what it brought, whatever chance would bring now. */
  #wasPlayed(action: unknown): boolean {
    const { at, step } = this.place;
    const [here, next] = [this.at.positions[at], this.at.positions[at + 1]];
    if (step !== null || here === undefined || next === undefined) return false;
    return same(this.actionOf(next.events, here.state), action);
  }

  async #eventsOf(action: unknown): Promise<readonly unknown[] | null> {
    const { game, position } = this.at;
    const [{ actor, done }, analyst] = [this, this.#analyst];
    if (actor === null || position === null) return null;
    if (game?.play !== undefined) return game.play(position.state, actor, action);
    if (done === null || analyst === null) return null;
    try {
      return (await analyst.find([...done, [actor, action]]))?.events ?? null;
    } catch (error) {
      toasts.explain(error);
      return null;
    }
  }

  /** Go on with this move: as the game did, as a line does that is here already, or in a new one. */
  async play(action: unknown): Promise<void> {
    if (this.puzzle?.solving === true && this.puzzle.answer(action)) return;
    const from = this.place;
    if (this.#wasPlayed(action)) {
      this.at.look(from.at + 1);
      return;
    }
    const events = await this.#eventsOf(action);
    // Meanwhile somebody may have gone elsewhere.
    if (events === null || from.at !== this.place.at || from.step !== this.place.step) return;
    const { at, step } = from;
    if (step === null && same(this.at.positions[at + 1]?.events, events)) {
      this.at.look(at + 1);
      return;
    }
    const longer = withStep(this.#all, this.place, this.actor, events);
    if (longer === null) {
      toasts.say(texts.review.tooMany, true);
      return;
    }
    this.#keep(longer.notes);
    this.puzzle?.reached(longer.id);
    this.go(longer.id);
  }

  write(words: string): void {
    this.#keep(withComment(this.#all, this.place, words));
    this.writing = false;
  }

  /** The line from here on is gone; what remains is what came before it. */
  cut(): void {
    const step = stepOf(this.notes, this.step);
    if (step === undefined) return;
    this.back();
    this.#keep(withoutStep(this.#all, step.id));
  }

  /** How many moves would be gone: this one, and all that go on from it. */
  readonly following = $derived(
    this.step === null ? 0 : this.notes.steps.length - withoutStep(this.notes, this.step).steps.length,
  );

  /** Whether this way comes after another one that is no part of the game. */
  readonly canPromote = $derived.by(() => {
    const step = stepOf(this.notes, this.step);
    return step !== undefined && waysOn(this.notes, { at: step.at, step: step.parent })[0] !== step;
  });

  promote(): void {
    if (this.step !== null) this.#keep(promoted(this.#all, this.step));
  }

  #keep(notes: Notes): void {
    this.#all = notes;
    // A file stays as it is: what is written about it lasts as long as one looks at it.
    if (this.at.file !== null) return;
    if (!writeNotes(this.#shelf, this.at.store.id, notes)) toasts.say(texts.review.notKept, true);
  }

  // From place to place

  go(step: number | null): void {
    this.writing = false;
    this.step = step;
  }

  /** How a line goes on from here; in the game itself its own moves come first. */
  readonly #on = $derived(waysOn(this.notes, this.place).find(({ id }) => this.#positions.has(id)));
  /** Whether there is more of what is looked at: of the line, or of the game. */
  readonly goesOn = $derived.by(() => (this.step === null ? this.at.index < this.at.last : this.#on !== undefined));

  next(): void {
    if (this.step === null && this.at.index < this.at.last) this.at.look(this.at.index + 1);
    else if (this.#on !== undefined) this.go(this.#on.id);
  }

  back(): void {
    const step = stepOf(this.notes, this.step);
    if (step === undefined) this.at.look(Math.max(0, this.at.index - 1));
    else if (step.parent === null) this.at.look(step.at);
    else this.go(step.parent);
  }

  /** From a line back to the game, where the line departs from it. */
  leave(): void {
    if (this.step !== null) this.at.look(this.place.at);
  }

  /** The end of what is looked at: of the line, or of the game. */
  end(): void {
    if (this.step === null) {
      this.at.look(this.at.last);
      return;
    }
    while (this.goesOn) this.next();
  }

  /** To the other moves that were possible instead: what the game did is the first of them. */
  beside(direction: 1 | -1): void {
    const step = stepOf(this.notes, this.step);
    const from: Place = step === undefined ? { at: this.at.index - 1, step: null } : { at: step.at, step: step.parent };
    if (from.at < 0) return;
    const played = from.step === null && from.at < this.at.last ? [null] : [];
    const ways = [...played, ...waysOn(this.notes, from).flatMap(({ id }) => (this.#positions.has(id) ? [id] : []))];
    const to = ways[ways.indexOf(this.step) + direction];
    if (to === null) this.at.look(from.at + 1);
    else if (to !== undefined) this.go(to);
  }

  /** How far one has gone in a line. */
  readonly depth = $derived(this.step === null ? 0 : lineTo(this.notes, this.step).length);
}
