import { describe, expect, it } from "vitest";

import { botNote } from "../src/lib/hall/bots.ts";
import { featuresOf } from "../src/lib/ui/bot_face.ts";
import type { GameTraits } from "../src/lib/wire/types.ts";

const traits = { levels: [{ name: "strong", title: "Strong", names: ["Granite"] }] } as unknown as GameTraits;
const NAMES = ["Pebble", "Cobble", "Marl", "Lintel", "Corbel", "Ashlar", "Granite", "Basalt", "Dolomite", "Clover", "Tansy", "Fennel"];

describe("a bot's face", () => {
  it("is the same whenever the same name is drawn", () => {
    expect(featuresOf("Granite")).toEqual(featuresOf("Granite"));
  });

  it("is its own, also among names that differ in a letter", () => {
    expect(new Set(NAMES.map((name) => JSON.stringify(featuresOf(name)))).size).toBe(NAMES.length);
    expect(featuresOf("Marl")).not.toEqual(featuresOf("Mark"));
  });
});

describe("what is said of a bot", () => {
  it("is how strong it is", () => {
    expect(botNote({ kind: "bot", level: "strong", name: "Granite" }, traits)).toBe("Strong bot");
    expect(botNote({ kind: "bot", level: "gone", name: "Granite" }, traits)).toBe("bot");
  });

  it("is nothing where the name says it, as at tables from before bots had names", () => {
    expect(botNote({ kind: "bot", level: "strong", name: "Strong bot" }, traits)).toBeNull();
    expect(botNote({ kind: "person", person: "p", name: "Ann", guest: true, keeps: true }, traits)).toBeNull();
    expect(botNote(null, traits)).toBeNull();
  });
});
