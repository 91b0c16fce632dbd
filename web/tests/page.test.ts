import { describe, expect, it } from "vitest";

import { guestName } from "../src/lib/hall/guest_name.ts";
import { route } from "../src/lib/route.ts";
import { fieldsOf, optionText } from "../src/lib/ui/schema.ts";
import { backoff } from "../src/lib/wire/backoff.ts";
import { ServerTime } from "../src/lib/wire/server_time.ts";
import type { Summary } from "../src/lib/wire/types.ts";
import { matches, NO_FILTER } from "../src/routes/lobby/filter.ts";

describe("addresses", () => {
  it.each([
    ["/", { page: "lobby" }],
    ["/t/abc", { page: "table", table: "abc", position: null }],
    ["/t/abc/12", { page: "table", table: "abc", position: 12 }],
    ["/t/abc/x", { page: "nowhere" }],
    ["/play/tower", { page: "play", game: "tower" }],
    ["/learn/tower", { page: "learn", game: "tower" }],
    ["/login", { page: "login" }],
    ["/settings/", { page: "settings" }],
    ["/what", { page: "nowhere" }],
    ["/t", { page: "nowhere" }],
  ])("%s", (path, expected) => {
    expect(route(path)).toEqual(expected);
  });
});

describe("a form from a game's own options", () => {
  it("has a field of the right kind for each", () => {
    const schema = {
      $ref: "#/$defs/Options",
      $defs: {
        Options: {
          type: "object",
          properties: {
            board_size: { type: "integer", minimum: 7, maximum: 19, default: 11 },
            shiny: { type: "boolean", default: true },
            variant: { enum: ["old", "new"], default: "old" },
            title: { type: "string", maxLength: 20, default: "" },
          },
        },
      },
    };
    expect(fieldsOf(schema, {})).toMatchObject([
      { name: "board_size", title: "Board size", kind: "number", whole: true, least: 7, most: 19 },
      { name: "shiny", kind: "flag" },
      { name: "variant", kind: "choice", choices: [{ value: "old", text: "old" }, { value: "new", text: "new" }] },
      { name: "title", kind: "text", longest: 20 },
    ]);
  });

  it("takes the game's own words, in their order", () => {
    const properties = { side: { enum: ["a", "b"] }, pair: { type: "array" }, secret: { type: "string" } };
    const words = {
      side: { title: "Which side", choices: { b: "Below", a: "Above" } },
      pair: { title: "Pair", presets: [{ value: [1, 2], text: "One and two" }] },
      secret: null,
    };
    expect(fieldsOf({ type: "object", properties }, {}, words)).toMatchObject([
      { title: "Which side", choices: [{ value: "b", text: "Below" }, { value: "a", text: "Above" }] },
      { title: "Pair", kind: "choice", choices: [{ value: [1, 2], text: "One and two" }] },
    ]);
    expect(optionText("pair", [1, 2], words.pair)).toEqual({ title: "Pair", value: "One and two" });
    expect(optionText("secret", "x", words.secret)).toBe(null);
    const odd = { title: "Odd", choices: { true: "oddly" } };
    expect(optionText("odd", true, odd)).toEqual({ title: "Odd", value: "oddly" });
    expect(optionText("odd", false, odd)).toBe(null);
  });

  it("is empty where there is nothing to choose", () => {
    expect(fieldsOf({ $ref: "#/$defs/O", $defs: { O: { type: "object", properties: {} } } }, {})).toEqual([]);
  });
});

describe("the lobby's filters", () => {
  const table = {
    game: "tower",
    phase: "setup",
    seats: [{ kind: "person", name: "Ann" }, null],
  } as unknown as Summary;

  it("let everything through at first", () => {
    expect(matches(table, NO_FILTER)).toBe(true);
  });

  it("look at game, free seats and names", () => {
    expect(matches(table, { ...NO_FILTER, game: "chess" })).toBe(false);
    expect(matches(table, { ...NO_FILTER, needsPlayer: true })).toBe(true);
    expect(matches({ ...table, phase: "over" }, { ...NO_FILTER, needsPlayer: true })).toBe(false);
    expect(matches(table, { ...NO_FILTER, name: " an" })).toBe(true);
    expect(matches(table, { ...NO_FILTER, name: "bob" })).toBe(false);
  });
});

describe("the server's time", () => {
  it("is told best by the message that was delayed least", () => {
    const time = new ServerTime();
    time.heard(5_000, 1_000);
    time.heard(5_900, 2_000);
    expect(time.at(3_000)).toBe(7_000);
  });

  it("follows a clock that was set back, after some messages", () => {
    const time = new ServerTime();
    time.heard(9_000, 1_000);
    for (let message = 0; message < 8; message++) time.heard(2_000, 1_000);
    expect(time.at(1_000)).toBe(2_000);
  });
});

describe("small things", () => {
  it("back-off doubles, with a spread, up to a limit", () => {
    expect(backoff(0, 1)).toBe(400);
    expect(backoff(0, 0)).toBe(200);
    expect(backoff(3, 1)).toBe(3200);
    expect(backoff(30, 1)).toBe(15_000);
  });

  it("guests get two friendly words, and a number if those are taken", () => {
    expect(guestName(() => 0)).toBe("Amber Badger");
    expect(guestName(() => 0.999)).toMatch(/^\w+ \w+$/);
    // With room for a number behind.
    expect(guestName(() => 0.999).length).toBeLessThanOrEqual(25);
  });
});
