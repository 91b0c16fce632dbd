import { describe, expect, it } from "vitest";

import { powerchess } from "../src/games/powerchess/index.ts";
import { topple } from "../src/games/topple/index.ts";
import { keyList } from "../src/lib/ui/key_list.ts";

const keys = (list: [string, string][]) => list.map(([key]) => key);

describe("the keyboard help", () => {
  it("lists a key of a game once, and none that does nothing there", () => {
    expect(keys(keyList({ ...powerchess, takesBack: false })).filter((key) => key === "U")).toHaveLength(1);
    expect(keys(keyList({ ...powerchess, takesBack: false }))).toContain("F");
    expect(keys(keyList({ ...topple, takesBack: true }))).toContain("U");
    expect(keys(keyList({ ...topple, takesBack: true }))).not.toContain("F");
    expect(keys(keyList(null))).not.toContain("U");
  });
});
