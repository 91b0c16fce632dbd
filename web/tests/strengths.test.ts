import { describe, expect, it } from "vitest";

import { otherStrengths } from "../src/lib/hall/bots.ts";
import type { GameTraits, Holder } from "../src/lib/wire/types.ts";

const level = (name: string, ...names: string[]) => ({ name, title: name, ...(names.length > 0 ? { names } : {}) });
const traits = {
  levels: [level("casual", "Mizar"), level("sensible", "Deneb"), level("strong", "Rigel"), level("engine:x")],
} as unknown as GameTraits;
const bot = (name: string): Holder => ({ kind: "bot", level: name, name });
const others = (...levels: string[]) => {
  const { stronger, weaker } = otherStrengths([null, ...levels.map(bot)], traits);
  return [stronger?.name, weaker?.name];
};

describe("bots of another strength", () => {
  it("are the next above and below the strongest", () => {
    expect(others("casual")).toEqual(["sensible", undefined]);
    expect(others("sensible", "casual")).toEqual(["strong", "casual"]);
    expect(others("strong")).toEqual([undefined, "sensible"]);
  });

  it("are not known of other programs, nor where there is no bot", () => {
    expect(others("engine:x")).toEqual([undefined, undefined]);
    expect(others()).toEqual([undefined, undefined]);
  });
});
