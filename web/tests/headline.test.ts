import { describe, expect, it, vi } from "vitest";

import { powerchess } from "../src/games/powerchess/index.ts";
import { tafl } from "../src/games/tafl/index.ts";
import { topple } from "../src/games/topple/index.ts";
import type { AnyGame } from "../src/games/game.ts";
import type { AtTable } from "../src/routes/table/at_table.svelte.ts";
import { headline, why } from "../src/routes/table/headline.ts";
import { texts as german } from "../src/texts/page.de.ts";

vi.hoisted(() => {
  vi.stubGlobal("location", new URL("http://gamut.club/t/t"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

const NAMES = ["Ann", "Ben", "Cas", "Dan"];

/** A game that is over, in front of one who plays or watches. */
function over(game: AnyGame, winners: number[], reason: string, last: unknown[], seat: number | null = null): AtTable {
  const table = { outcome: { winners, reason }, phase: "over", log: [], positions: [{ state: null, events: last }] };
  return { game, table, seat, file: null, review: { puzzle: null }, name: (of: number) => NAMES[of] } as unknown as AtTable;
}

describe("how a game has ended", () => {
  const resigned = { type: "ended", winner: 1, reason: "resigned" } as const;
  const late = { type: "ended", winner: 0, reason: "time" } as const;
  const gone = (how: string) => ({ type: "removed", seat: 1, why: how });

  it.each([
    ["Power Chess", powerchess as AnyGame],
    ["Tafl", tafl as AnyGame],
  ])("names who resigned or was out of time in %s, whoever reads it", (_, game) => {
    const seen = (seat: number | null) => why(over(game, [1], "resigned", [resigned], seat));
    expect([0, 1, null].map(seen)).toEqual(["You resigned", "Ann resigned", "Ann resigned"]);
    const told = (seat: number | null) => why(over(game, [0], "time", [late], seat));
    expect([0, 1, null].map(told)).toEqual(["Ben ran out of time", "You ran out of time", "Ben ran out of time"]);
    expect(why(over(game, [], "agreed", [{ type: "ended", winner: null, reason: "agreed" }]))).toBe("A draw was agreed");
  });

  it("names who went in Topple", () => {
    expect(why(over(topple as AnyGame, [0], "resigned", [gone("resigned")], 1))).toBe("You resigned");
    expect(why(over(topple as AnyGame, [0], "alone", [gone("left")], 0))).toBe("Ben left");
    expect(why(over(topple as AnyGame, [0], "alone", [gone("lost")]))).toBe("Ben ran out of time");
    expect(why(over(topple as AnyGame, [0], "everything", [{ type: "moved", seat: 0, tile: 1 }]))).toBe("Every tile is taken");
  });

  it("is said to those who won together", () => {
    const won = (seat: number | null) => headline(over(topple as AnyGame, [0, 2], "everything", [], seat));
    expect([0, 1, null].map(won)).toEqual(["You and Cas win", "Ann and Cas win", "Ann and Cas win"]);
    expect(headline(over(topple as AnyGame, [0], "everything", [], 0))).toBe("You win");
  });

  it("is said in German as well", () => {
    const { lostBy, youWinWith } = german.table;
    expect([lostBy.resigned(null), lostBy.time("Ben"), lostBy.left("Ben")]).toEqual([
      "Du hast aufgegeben",
      "Die Zeit von Ben ist abgelaufen",
      "Ben ist gegangen",
    ]);
    expect(youWinWith(["Cas"])).toBe("Cas und du habt gewonnen");
  });
});
