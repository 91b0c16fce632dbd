import { describe, expect, it } from "vitest";

import type { Happening } from "../src/lib/wire/happenings.ts";
import { howStood, isBarred, seatTaken } from "../src/routes/table/removing.ts";
import { texts } from "../src/texts/index.ts";

type Stood = Happening & { type: "stood" };

const stood = (why: Stood["why"], bar?: boolean): Stood => ({
  type: "stood",
  at: 0,
  seat: 1,
  person: why === "removed" ? null : "ann",
  why,
  ...(bar === undefined ? {} : { bar }),
});
const STARTED: Happening = { type: "started", at: 0, events: [] };
const CLOSED: Happening = { type: "closed", at: 0, why: "removed" };

describe("how somebody came to stand up", () => {
  it("is told in other words before the game than in it", () => {
    for (const [event, before] of [
      [stood("kicked"), "asked"],
      [stood("kicked", false), "freed"],
      [stood("removed"), "sentOff"],
    ] as const) {
      expect(howStood([event], event)).toBe(before);
      expect(howStood([STARTED, event], event)).toBe("removed");
      expect(howStood([event, STARTED], event)).toBe(before);
    }
  });

  it("is their own doing where no host did it", () => {
    const [left, gone] = [stood("left"), stood("gone")];
    expect([howStood([STARTED, left], left), howStood([STARTED, gone], gone)]).toEqual(["left", "gone"]);
    expect(seatTaken([STARTED, left], left)).toBeNull();
  });

  it("keeps those from sitting down who were removed for good, and nobody else", () => {
    expect(isBarred([stood("kicked")], "ann")).toBe(true);
    expect(isBarred([stood("kicked")], "ben")).toBe(false);
    expect(isBarred([stood("kicked", false), stood("left")], "ann")).toBe(false);
  });

  it("is told to whoever it befell", () => {
    const [barred, freed] = [stood("kicked"), stood("kicked", false)];
    const words = texts.table.seatTaken;
    expect(seatTaken([barred], barred)).toBe(words.asked);
    expect(seatTaken([freed], freed)).toBe(words.freed);
    expect(seatTaken([STARTED, freed], freed)).toBe(words.removed);
    expect(seatTaken([STARTED, barred, CLOSED], barred)).toBe(words.ended);
  });
});
