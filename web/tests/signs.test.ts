import { describe, expect, it, vi } from "vitest";

const shapes = vi.hoisted(() =>
  Array.from({ length: 8 }, (_, number) => ({ game: `game${number}`, colour: `#00000${number}`, shape: `M${number} 0Z` })),
);
vi.mock("../src/games/signs.ts", () => ({ SIGNS: shapes }));

const { icon } = await import("../src/lib/attention.ts");

describe("the icon of a page where it is somebody's turn", () => {
  it.each(shapes)("has the sign of $game, however many games there are", ({ game, colour, shape }) => {
    const drawn = decodeURIComponent(icon(game));
    expect(drawn).toContain(`<path fill="${colour}" opacity="1" transform="translate(1 1) scale(3)" d="${shape}"/>`);
    expect(drawn.match(/opacity="1"/g)).toHaveLength(1);
  });
});
