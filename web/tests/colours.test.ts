import { describe, expect, it } from "vitest";

import { palette } from "../src/games/topple/palette.ts";
import { inkOn } from "../src/lib/board/painted.ts";
import { squareSize } from "../src/lib/board/scene.ts";
import { layout } from "../src/games/topple/layout.ts";

describe("colours that a host chooses", () => {
  it("are numbers on the wire and names of colours on the page", () => {
    const wire = [0, 0x0000ff, 0xff0000, 0x00ff00, 0x123456, 0xffffff, 0x00000f];
    const page = ["#000000", "#0000ff", "#ff0000", "#00ff00", "#123456", "#ffffff", "#00000f"];
    expect(palette.read({ colours: wire })).toEqual(page);
    expect(palette.write(page)).toEqual({ colours: wire });
  });

  it("are the usual ones where there are none, or not as many as there are teams", () => {
    expect(palette.read({})).toBe(null);
    expect(palette.read({ colours: null })).toBe(null);
    expect(palette.read({ colours: [1, 2, 3] })).toBe(null);
    expect(palette.write(null)).toEqual({ colours: null });
    expect(palette.usual).toHaveLength(7);
  });

  it("have pips that can be seen on them", () => {
    expect(["#ffffff", "#ffff00", "#e69f00", "#56b4e9"].map(inkOn)).toEqual(Array(4).fill("#16181d"));
    expect(["#000000", "#0000ff", "#8b0000", "#203040"].map(inkOn)).toEqual(Array(4).fill("#ffffff"));
  });
});

describe("the size of squares", () => {
  it("is the way from one to the next", () => {
    const large = layout(0, 15, 15);
    expect(squareSize(large.squares)).toBeCloseTo(large.pitch);
    expect(squareSize(layout(0, 1, 1).squares)).toBe(Infinity);
  });
});
