import { describe, expect, it } from "vitest";

import { withOwnMarked } from "../src/lib/hall/results.ts";
import type { Holder } from "../src/lib/wire/types.ts";

describe("one's own seat in a list of games", () => {
  const ann: Holder = { kind: "person", person: "1", name: "Silver Seal", guest: true, keeps: true };

  it("is marked where one had another name", () => {
    expect(withOwnMarked(ann, { id: "1", name: "Ann" })?.name).toBe("Silver Seal (you)");
    expect(withOwnMarked(ann, { id: "1", name: "Silver Seal" })).toBe(ann);
    expect(withOwnMarked(ann, { id: "2", name: "Ben" })).toBe(ann);
    expect(withOwnMarked(ann, null)).toBe(ann);
    expect(withOwnMarked(null, { id: "1", name: "Ann" })).toBe(null);
  });
});
