import { describe, expect, it } from "vitest";

import { face, left } from "../src/lib/hall/clock.ts";
import type { Clock } from "../src/lib/wire/types.ts";

const bank: Clock = {
  setting: { kind: "bank", main: 300_000 },
  times: [
    { main: 300_000, overtime: 0, periods: 0 },
    { main: 120_000, overtime: 0, periods: 0 },
  ],
  running: [1],
  since: 1000,
};

describe("a clock", () => {
  it("runs only for the seats that are to act", () => {
    expect(left(bank, 0, 61_000)).toEqual({ shown: 300_000, periods: null, running: false });
    expect(left(bank, 1, 61_000)).toEqual({ shown: 60_000, periods: null, running: true });
  });

  it("never shows less than nothing, nor more than there is", () => {
    expect(left(bank, 1, 999_000)?.shown).toBe(0);
    expect(left(bank, 1, 0)?.shown).toBe(120_000);
  });

  it("goes through its overtime periods one by one", () => {
    const clock: Clock = {
      setting: { kind: "overtime", main: 0, length: 30_000, periods: 3 },
      times: [{ main: 10_000, overtime: 30_000, periods: 3 }],
      running: [0],
      since: 0,
    };
    expect(left(clock, 0, 5_000)).toMatchObject({ shown: 5_000, periods: null });
    expect(left(clock, 0, 20_000)).toMatchObject({ shown: 20_000, periods: 3 });
    expect(left(clock, 0, 50_000)).toMatchObject({ shown: 20_000, periods: 2 });
    expect(left(clock, 0, 200_000)).toMatchObject({ shown: 0, periods: 0 });
  });

  it("has a face that people can read", () => {
    expect(face(0)).toBe("0.0");
    expect(face(9_999)).toBe("9.9");
    expect(face(10_000)).toBe("0:10");
    expect(face(299_001)).toBe("5:00");
    expect(face(3_723_000)).toBe("1:02:03");
    expect(face(5 * 86_400_000)).toBe("5 d 0 h");
  });
});
