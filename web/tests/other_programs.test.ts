import { describe, expect, it } from "vitest";

import { isReady, noRematchWith } from "../src/lib/hall/other_programs.ts";
import type { Table } from "../src/lib/hall/table.ts";
import type { ClockSetting, Inability, Sitter } from "../src/lib/wire/types.ts";

const person = (name: string, ...cannot: Inability[]): Sitter => ({
  kind: "person",
  person: name,
  name,
  guest: true,
  keeps: true,
  cannot,
});

function table(others: Sitter[], more: Partial<Table> = {}, clock: ClockSetting = { kind: "none" }): Table {
  const seats = [person("Ann"), ...others];
  return { seats, clock, ready: [], rematch: [], ...more } as unknown as Table;
}

describe("who plays with another program", () => {
  it("is ready where it has no word for that", () => {
    const met = table([person("Bob"), person("Cid", "ready")], { ready: [0] });
    expect([0, 1, 2].map((seat) => isReady(met, seat))).toEqual([true, false, true]);
  });

  it("is asked for a rematch if it can be, and otherwise taken along if it can be", () => {
    expect(noRematchWith(table([person("Bob")]), 0)).toBeNull();
    expect(noRematchWith(table([person("Bob", "ready", "rematch")]), 0)).toBeNull();
    expect(noRematchWith(table([person("Bob", "ready", "rematch", "follow")]), 0)).toEqual({ name: "Bob", timed: false });
  });

  it("is not taken to a game in which its clock would run unasked", () => {
    const clock: ClockSetting = { kind: "turn", limit: 1_000 };
    expect(noRematchWith(table([person("Bob", "ready", "rematch")], {}, clock), 0)).toEqual({ name: "Bob", timed: true });
    expect(noRematchWith(table([person("Bob", "rematch")], {}, clock), 0)).toBeNull();
  });

  it("may have asked for a rematch on the page", () => {
    expect(noRematchWith(table([person("Bob", "rematch", "follow")], { rematch: [1] }), 0)).toBeNull();
  });

  it("is nobody else's reason", () => {
    expect(noRematchWith(table([person("Bob", "rematch", "follow")]), 1)).toBeNull();
  });
});
