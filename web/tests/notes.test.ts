import { describe, expect, it } from "vitest";

import { MOST_GAMES, readNotes, writeNotes, type Shelf } from "../src/lib/review/kept.ts";
import {
  commentOn,
  lineTo,
  LONGEST_COMMENT,
  MOST_STEPS,
  NONE,
  notesOf,
  promoted,
  waysOn,
  withComment,
  withoutStep,
  withStep,
  type Notes,
  type Place,
} from "../src/lib/review/notes.ts";

const game = (at: number): Place => ({ at, step: null });

/** A review in which these moves were tried, each from a place; the ids are counted from 1. */
function tried(...moves: [from: Place, what: string][]): Notes {
  return moves.reduce((notes, [from, what]) => withStep(notes, from, 0, [what])!.notes, NONE);
}

const said = (notes: Notes, from: Place) => waysOn(notes, from).map(({ events }) => events[0]);

describe("lines of one's own", () => {
  const notes = tried([game(2), "a"], [{ at: 2, step: 1 }, "b"], [game(2), "c"], [{ at: 2, step: 1 }, "d"], [game(5), "e"]);

  it("depart from the game, and from one another", () => {
    expect(said(notes, game(2))).toEqual(["a", "c"]);
    expect(said(notes, { at: 2, step: 1 })).toEqual(["b", "d"]);
    expect(said(notes, game(3))).toEqual([]);
    expect(lineTo(notes, 4).map(({ events }) => events[0])).toEqual(["a", "d"]);
  });

  it("are not there twice", () => {
    expect(withStep(notes, game(2), 0, ["c"])).toEqual({ notes, id: 3 });
    expect(withStep(notes, game(4), 0, ["c"])?.id).toBe(6);
  });

  it("are cut with all that goes on from there", () => {
    const cut = withoutStep(notes, 1);
    expect(cut.steps.map(({ id }) => id)).toEqual([3, 5]);
    expect(withoutStep(notes, 4).steps.map(({ id }) => id)).toEqual([1, 2, 3, 5]);
    // What comes later has a number of its own.
    expect(withStep(cut, game(9), 0, ["f"])?.id).toBe(6);
  });

  it("move up, one place at a time, up to the first", () => {
    const first = promoted(notes, 4);
    expect(said(first, { at: 2, step: 1 })).toEqual(["d", "b"]);
    expect(promoted(first, 4)).toBe(first);
    expect(said(promoted(notes, 3), game(2))).toEqual(["c", "a"]);
    // What follows a step comes after it, wherever it stands.
    expect(withoutStep(promoted(notes, 3), 1).steps.map(({ id }) => id)).toEqual([3, 5]);
  });

  it("are at most so many", () => {
    const full = { ...NONE, steps: Array.from({ length: MOST_STEPS }, (_, index) => ({ ...notes.steps[0]!, id: index + 1 })) };
    expect(withStep(full, game(7), 0, ["x"])).toBe(null);
    expect(withStep(full, game(2), 0, ["a"])?.notes).toBe(full);
  });
});

describe("comments", () => {
  const notes = withComment(withComment(tried([game(1), "a"]), game(1), " Here it turned. "), { at: 1, step: 1 }, "Better.");

  it("are of the game's positions and of those of a line", () => {
    expect(commentOn(notes, game(1))).toBe("Here it turned.");
    expect(commentOn(notes, { at: 1, step: 1 })).toBe("Better.");
    expect(commentOn(notes, game(2))).toBe("");
  });

  it("are taken away by saying nothing, and are not endless", () => {
    expect(withComment(notes, game(1), " ").comments).toEqual({});
    expect(commentOn(withComment(notes, game(3), "x".repeat(5000)), game(3))).toHaveLength(LONGEST_COMMENT);
  });
});

describe("a line out of a file", () => {
  it("brings its words and its variations", () => {
    const notes = notesOf({
      comment: "A quiet game.",
      moves: [
        { seat: 0, events: ["a"] },
        {
          seat: 1,
          events: ["b"],
          comment: "A mistake.",
          variations: [
            {
              moves: [
                { seat: 1, events: ["c"], comment: "Better." },
                { seat: 0, events: ["d"], variations: [{ moves: [{ seat: 0, events: ["e"] }] }] },
              ],
            },
          ],
        },
      ],
    });
    expect(notes.comments).toEqual({ 0: "A quiet game.", 2: "A mistake." });
    const [c] = waysOn(notes, game(1));
    expect(c).toMatchObject({ events: ["c"], comment: "Better.", at: 1 });
    expect(said(notes, { at: 1, step: c!.id })).toEqual(["d", "e"]);
  });
});

describe("what was written about a game", () => {
  /** A browser's storage with room for so many letters. */
  class Storage implements Shelf {
    readonly kept = new Map<string, string>();
    constructor(readonly room = Infinity) {}
    getItem = (key: string) => this.kept.get(key) ?? null;
    removeItem = (key: string) => void this.kept.delete(key);
    setItem = (key: string, value: string) => {
      const others = [...this.kept].reduce((sum, [name, text]) => sum + (name === key ? 0 : text.length), 0);
      if (others + value.length > this.room) throw new DOMException("full", "QuotaExceededError");
      this.kept.set(key, value);
    };
  }
  const notes = withComment(tried([game(2), "a"], [{ at: 2, step: 1 }, "b"]), game(0), "So it began.");

  it("is there again", () => {
    const shelf = new Storage();
    expect(writeNotes(shelf, "t", notes)).toBe(true);
    expect(readNotes(shelf, "t")).toEqual(notes);
    expect(readNotes(shelf, "other")).toEqual(NONE);
  });

  it("leaves nothing behind when all of it is deleted", () => {
    const shelf = new Storage();
    writeNotes(shelf, "t", notes);
    writeNotes(shelf, "t", NONE);
    expect([...shelf.kept]).toEqual([["gamut.notes", "[]"]]);
  });

  it("is kept of so many games, the latest", () => {
    const shelf = new Storage();
    for (let game = 0; game < MOST_GAMES; game++) writeNotes(shelf, `t${game}`, notes);
    writeNotes(shelf, "t0", notes);
    writeNotes(shelf, "one more", notes);
    expect(readNotes(shelf, "t0")).toEqual(notes);
    expect(readNotes(shelf, "t1")).toEqual(NONE);
    expect(shelf.kept.size).toBe(MOST_GAMES + 1);
  });

  it("makes room for itself, and says so if there is none", () => {
    const shelf = new Storage(2.5 * JSON.stringify(notes).length);
    expect(writeNotes(shelf, "old", notes)).toBe(true);
    expect(writeNotes(shelf, "new", notes)).toBe(true);
    expect(writeNotes(shelf, "newer", notes)).toBe(true);
    expect([readNotes(shelf, "old"), readNotes(shelf, "newer")]).toEqual([NONE, notes]);
    expect(writeNotes(new Storage(10), "t", notes)).toBe(false);
  });

  it("is as much of it as makes sense, whoever wrote there", () => {
    const shelf = new Storage();
    const [first, second] = notes.steps;
    const orphan = { ...second!, id: 9, parent: 77 };
    const written = { comments: { 1: "words", 2: 3 }, steps: [first, null, { id: "x" }, first, orphan, second] };
    shelf.setItem("gamut.notes.t", JSON.stringify(written));
    expect(readNotes(shelf, "t")).toEqual({ comments: { 1: "words" }, steps: [first, second] });
    for (const nonsense of ["{", "7", "[]", "null", '{"steps": 3}']) {
      shelf.setItem("gamut.notes.t", nonsense);
      expect(readNotes(shelf, "t")).toEqual(NONE);
    }
  });
});
