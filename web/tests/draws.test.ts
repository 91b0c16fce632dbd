import { describe, expect, it } from "vitest";

import { agreement, turnedDown } from "../src/lib/hall/draws.ts";
import type { Happening } from "../src/lib/wire/happenings.ts";

type Told = Happening extends infer Each ? (Each extends { at: number } ? Omit<Each, "at"> : never) : never;
const log = (...events: Told[]): Happening[] => events.map((event) => ({ ...event, at: 0 }) as Happening);
const offers = (seat: number): Told => ({ type: "draw_offered", seat });
const declines = (seat: number): Told => ({ type: "draw_declined", seat });
const moves = (seat: number): Told => ({ type: "played", events: [], seat });
const AGREED: Told = { type: "played", events: [], why: "agreed" };

describe("an agreed draw", () => {
  it("was offered by one and accepted by the others", () => {
    expect(agreement(log(moves(0), offers(1), offers(0), AGREED))).toEqual({ offered: 1, accepted: [0] });
    expect(agreement(log(offers(2), offers(0), offers(1), AGREED))).toEqual({ offered: 2, accepted: [0, 1] });
  });

  it("is not said of an offer that was played over or declined before", () => {
    expect(agreement(log(offers(0), moves(1), offers(1), offers(0), AGREED))).toEqual({ offered: 1, accepted: [0] });
    expect(agreement(log(offers(0), declines(1), moves(0), offers(1), offers(0), AGREED))).toEqual({ offered: 1, accepted: [0] });
  });

  it("is none where nobody agreed, or nothing is told of it", () => {
    expect(agreement(log(offers(0), declines(1), moves(0)))).toBeNull();
    expect(agreement(log(moves(0), AGREED))).toBeNull();
  });
});

describe("whoever was turned down", () => {
  it("offers again after a move of their own", () => {
    expect(turnedDown(log(offers(0), declines(1)), 0)).toBe(true);
    expect(turnedDown(log(offers(0), declines(1), moves(1)), 0)).toBe(true);
    expect(turnedDown(log(offers(0), declines(1), moves(0)), 0)).toBe(false);
  });

  it("is not who declined", () => {
    expect(turnedDown(log(offers(0), declines(1)), 1)).toBe(false);
    expect(turnedDown(log(offers(0), moves(1), offers(1), declines(0)), 0)).toBe(false);
  });
});
