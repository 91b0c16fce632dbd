import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  addShare,
  basketOf,
  dropShare,
  endsIn,
  pressDigit,
  pressLetter,
  sellShares,
  soldIn,
  toggleEnd,
  tradedIn,
  tradeShares,
} from "../src/games/acquire/choosing.ts";
import { face } from "../src/games/acquire/face.ts";
import { ended, told, toldWithBonuses } from "../src/games/acquire/history.ts";
import { acquire } from "../src/games/acquire/index.ts";
import { middleOf, pieces } from "../src/games/acquire/pieces.ts";
import { COLUMNS } from "../src/games/acquire/plan.ts";
import { begun, legal, type Acted, type AcquireEvent, type AcquireState, type Awaited } from "../src/games/acquire/rules.ts";
import { roof } from "../src/games/acquire/roof.ts";
import { describe as say, explain, foresee } from "../src/games/acquire/telling.ts";
import { picked, type Way } from "../src/lib/board/picks.ts";

const name = (seat: number) => ["Ann", "Ben", "Cas"][seat] ?? "";

/** Rows A to I, from the first column to the last. */
function city(rows: string[], changes: Partial<AcquireState> = {}): AcquireState {
  const all = [...rows, ...Array.from({ length: 9 - rows.length }, () => ".".repeat(COLUMNS))];
  const board = Array.from({ length: COLUMNS }, (_, column) => all.map((row) => row[column]!).join("")).join("");
  const sizes = [..."LTAFWCI"].map((letter) => [...board].filter((cell) => cell === letter).length);
  return { ...begun(3), board, sizes, ...changes };
}

const at = (tile: string) => (Number.parseInt(tile) - 1) * 9 + "ABCDEFGHI".indexOf(tile.at(-1)!);
const rack = (...tiles: string[]) => Array.from({ length: 6 }, (_, slot) => (tiles[slot] === undefined ? null : at(tiles[slot])));

/** Somebody at the desk, who picks as on the page. */
class Player {
  picks: readonly string[] = [];

  constructor(
    readonly state: AcquireState,
    readonly viewer: number,
  ) {}

  get ways(): Way[] {
    return legal(this.state, this.viewer).flatMap((action) =>
      [acquire.path(action, this.state, this.viewer), ...(acquire.otherPaths?.(action, this.state, this.viewer) ?? [])].map((path) => ({ action, path })),
    );
  }

  get hands() {
    return {
      state: this.state,
      viewer: this.viewer,
      picks: this.picks,
      pick: (pick: string) => {
        this.picks = picked(this.ways, this.picks, pick)?.picks ?? this.picks;
      },
      undo: () => {
        this.picks = this.picks.slice(0, -1);
      },
    };
  }

  get chosen(): unknown {
    return this.ways.find(({ path }) => path.length === this.picks.length && path.every((pick, index) => pick === this.picks[index]))?.action;
  }

  press(...keys: string[]): this {
    for (const key of keys) {
      if (/\d/.test(key)) pressDigit(this.hands, Number(key));
      else pressLetter(this.hands, key);
    }
    return this;
  }
}

const asked = (action: Awaited["action"], more: Partial<Awaited> = {}): Awaited => ({ seat: 0, action, turn: 0, ...more });
const SHOP = ["LL...TTT.II.", ".........II."];

describe("buying", () => {
  const shop = (more: Partial<Awaited> = {}) => new Player(city(SHOP, { next: asked("PurchaseShares", more) }), 0);

  it("counts shares in any order, puts them back one by one, and keeps to three", () => {
    const player = shop();
    addShare(player.hands, 6);
    addShare(player.hands, 0);
    addShare(player.hands, 6);
    expect(basketOf(player.picks)).toEqual([0, 6, 6]);
    addShare(player.hands, 1);
    expect(basketOf(player.picks)).toEqual([0, 6, 6]);
    dropShare(player.hands, 6);
    expect(basketOf(player.picks)).toEqual([0, 6]);
    dropShare(player.hands, 1);
    expect(basketOf(player.picks)).toEqual([0, 6]);
  });

  it("goes by letters and numbers, and O buys", () => {
    expect(shop().press("I", "L", "2", "O").chosen).toEqual({ type: "PurchaseShares", chains: [0, 1, 6], end: false });
    expect(shop().press("O").chosen).toEqual({ type: "PurchaseShares", chains: [], end: false });
  });

  it("does not count what is not on the board, not there, or too dear", () => {
    expect(basketOf(shop().press("W").picks)).toEqual([]);
    const state = city(SHOP, { next: asked("PurchaseShares"), cash: [5, 60, 60], available: [25, 0, 25, 25, 25, 25, 25] });
    expect(basketOf(new Player(state, 0).press("T", "L", "L", "L").picks)).toEqual([0, 0]);
  });

  it("ends the game only where that is allowed, and the wish stays when shares change", () => {
    expect(endsIn(shop().press("E").picks)).toBe(false);
    const player = shop({ can_end: true });
    toggleEnd(player.hands);
    addShare(player.hands, 0);
    expect(endsIn(player.picks)).toBe(true);
    expect(player.press("O").chosen).toEqual({ type: "PurchaseShares", chains: [0], end: true });
    expect(shop({ can_end: true }).press("E", "E", "O").chosen).toEqual({ type: "PurchaseShares", chains: [], end: false });
  });
});

describe("shares of a swallowed chain", () => {
  const owner = (held: number, available = 25) => {
    const state = city(["LLL........."], {
      next: asked("DisposeOfShares", { survivor: 0, defunct: 1 }),
      shares: [[0, held, 0, 0, 0, 0, 0], Array(7).fill(0) as number[], Array(7).fill(0) as number[]],
      available: [available, 25 - held, 25, 25, 25, 25, 25],
    });
    return new Player({ ...state, sizes: state.sizes.with(1, 2) }, 0);
  };

  it("are traded in pairs, sold one by one, and kept", () => {
    const player = owner(5);
    tradeShares(player.hands, 4);
    sellShares(player.hands, 3);
    expect([tradedIn(player.picks), soldIn(player.picks)]).toEqual([4, 1]);
    tradeShares(player.hands, 2);
    sellShares(player.hands, 3);
    expect(player.press("O").chosen).toEqual({ type: "DisposeOfShares", trade: 2, sell: 3 });
  });

  it("go by T, S and K, around again after the most", () => {
    expect(owner(5).press("T", "T", "S", "O").chosen).toEqual({ type: "DisposeOfShares", trade: 4, sell: 1 });
    expect(owner(5).press("T", "T", "T", "O").chosen).toEqual({ type: "DisposeOfShares", trade: 0, sell: 0 });
    expect(owner(2).press("S", "S", "S", "O").chosen).toEqual({ type: "DisposeOfShares", trade: 0, sell: 0 });
    expect(owner(5).press("T", "S", "K", "O").chosen).toEqual({ type: "DisposeOfShares", trade: 0, sell: 0 });
  });

  it("are traded only for what is there", () => {
    expect(tradedIn(owner(6, 1).press("T").picks)).toBe(2);
    expect(tradedIn(owner(6, 0).press("T").picks)).toBe(0);
  });

  it("make room: what is traded cannot be sold as well", () => {
    const player = owner(4);
    sellShares(player.hands, 4);
    tradeShares(player.hands, 2);
    expect([tradedIn(player.picks), soldIn(player.picks)]).toEqual([2, 2]);
  });
});

describe("tiles and chains by keys", () => {
  const state = city(["O..........."], { racks: [rack("2A", "5E"), rack(), rack()], next: asked("PlayTile") });

  it("plays a tile by its place in the rack, and nothing for an empty one", () => {
    expect(new Player(state, 0).press("2").chosen).toEqual({ type: "PlayTile", tile: at("5E") });
    expect(new Player(state, 0).press("3", "7", "L").picks).toEqual([]);
  });

  it("chooses a chain by its letter or number, if it is among those to choose from", () => {
    const choosing = { ...state, next: asked("SelectNewChain", { chains: [0, 4] }) };
    expect(new Player(choosing, 0).press("W").chosen).toEqual({ type: "SelectNewChain", chain: 4 });
    expect(new Player(choosing, 0).press("1").chosen).toEqual({ type: "SelectNewChain", chain: 0 });
    expect(new Player(choosing, 0).press("T").picks).toEqual([]);
  });

  it("does nothing for whoever is not asked", () => {
    expect(new Player(state, 1).press("1", "L", "O", "E", "T", "K", "S").picks).toEqual([]);
  });
});

describe("what is said of tiles", () => {
  const state = city(["LL.II.......", "....I.......", "............", "O..........."], {
    racks: [rack("3A", "1C", "2D", "6A", "9H", "9I"), rack(), rack()],
    next: asked("PlayTile"),
  });

  it("is what each would do", () => {
    const said = (tile: string) => say(state, `hand-${at(tile)}`, name, 0);
    expect(said("3A")).toBe("merges Luxor and Imperial, and Imperial survives");
    expect(said("2D")).toBe("founds a new chain");
    expect(said("6A")).toBe("extends Imperial");
    expect(said("9H")).toBe("touches nothing but another tile of yours");
    expect(say(state, String(at("6A")), name, 0)).toBe("empty, you hold this tile: extends Imperial");
    expect(say(state, String(at("6A")), name, 1)).toBe("empty, Ann holds this tile");
    expect(say(state, String(at("1A")), name, 0)).toBe("Luxor, 2 tiles");
    expect(say(state, String(at("1D")), name, 0)).toBe("a tile without a chain");
  });

  it("explains chains and mergers, and leaves lonely tiles alone", () => {
    expect(explain(state, String(at("1A")))).toBe("Luxor costs $200 a share; 25 of 25 are left.");
    expect(explain(state, `hand-${at("3A")}`)).toBe("Merges Luxor and Imperial, and Imperial survives.");
    expect(explain(state, `hand-${at("9H")}`)).toBe(null);
    expect(explain(state, String(at("12A")))).toBe(null);
  });

  it("foresees what a merger swallows", () => {
    const [where, what] = foresee(state, 0, `hand-${at("3A")}`);
    expect(where?.squares).toEqual([String(at("3A")), `hand-${at("3A")}`]);
    expect(what?.squares).toEqual([at("1A"), at("2A")].map(String));
    expect(foresee(state, 1, `hand-${at("3A")}`)).toEqual([]);
    expect(foresee(state, 0, String(at("1A")))).toEqual([]);
  });

  it("knows dead tiles and those that cannot be played now", () => {
    const safe = city(["LLLLLL.IIIII", "LLLLL..IIIII", ".......I...."], { racks: [rack("7A"), rack(), rack()] });
    expect(say(safe, `hand-${at("7A")}`, name, 0)).toBe("can never be played: Luxor and Imperial are safe");
    const full = city(["LL.TT.AA.FF.", "............", "WW.CC.II...O"], { racks: [rack("12D"), rack(), rack()] });
    expect(say(full, `hand-${at("12D")}`, name, 0)).toContain("all seven chains are on the board");
  });
});

describe("the city", () => {
  const state = city(["LL..........", ".L..........", "....O......."], { racks: [rack("3A", "4C"), Array(6).fill(108) as number[], rack()] });
  const kinds = (viewer: number | null, of = state) => pieces(of, 0, viewer).map(({ kind }) => kind);

  it("has one sign for each chain and a roof for each of its tiles", () => {
    expect(kinds(null).filter((kind) => kind === "sign")).toHaveLength(1);
    expect(kinds(null).filter((kind) => kind === "building")).toHaveLength(3);
    expect(kinds(null).filter((kind) => kind === "house")).toHaveLength(1);
    expect(middleOf([at("1A"), at("2A"), at("2B")])).toBe(at("2A"));
  });

  it("joins roofs without a seam", () => {
    const [first] = pieces(state, 0, null);
    expect(first).toMatchObject({ chain: 0, joins: 2 });
    expect(roof(0, 48).outline).not.toBe(roof(2, 48).outline);
    expect(roof(15, 48)).toMatchObject({ lit: "", shaded: "" });
  });

  it("lays out the rack of whoever looks, and of nobody whose tiles are hidden", () => {
    expect(kinds(0).filter((kind) => kind === "rack")).toHaveLength(2);
    expect(acquire.layout(state, 0, 0).squares.map(({ id }) => id)).toContain(`hand-${at("3A")}`);
    expect(acquire.layout(state, 0, 1).squares).toHaveLength(108);
    expect(kinds(1)).not.toContain("rack");
    expect(kinds(null)).toContain("held");
  });
});

describe("the history in words", () => {
  const did = (history: Acted["history"], more: Partial<Acted> = {}): AcquireEvent => ({
    type: "acted",
    seat: 0,
    action: { type: "PlayTile", tile: 0 },
    history,
    next: asked("PlayTile"),
    ...more,
  });

  it("says what a player did without the name, and what others got with theirs", () => {
    expect(
      told(did([["PlayedTile", 0, 3], ["MergedChains", 0, [0, 1]], ["ReceivedBonus", 1, 0, 30], ["ReceivedBonus", 0, 0, 15]]), name),
    ).toBe("plays 1D; merges Luxor and Tower; Ben gets $3,000 for Luxor; gets $1,500 for Luxor");
    expect(told(did([["PurchasedShares", 0, [[0, 2], [6, 1]]], ["TurnBegan", 1], ["HasNoPlayableTile", 1]]), name)).toBe(
      "buys 2 Luxor, 1 Imperial; Ben has no tile to play",
    );
    expect(told(did([["DisposedOfShares", 0, 1, 2, 1]]), name)).toBe("trades 2 and sells 1 Tower");
    expect(told(did([["DisposedOfShares", 0, 1, 0, 0]]), name)).toBe("keeps all Tower");
    expect(told(did([["PurchasedShares", 0, []], ["EndedGame", 0]], { auto: true }), name)).toBe(
      "automatically: buys nothing; ends the game",
    );
    expect(told(did([["ReplacedDeadTile", 0, 5], ["DrewLastTile", 0], ["AllTilesPlayed"]]), name)).toBe(
      "lays the dead tile 1F aside; draws the last tile; no tile is left to play",
    );
    expect(told({ type: "forfeited", seat: 1 }, name)).toBe("forfeits");
  });

  const safe = city(["LLLLLLLLLLLL"], {
    shares: [[3, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]],
    next: { ...asked("GameOver"), seat: 1, ending: "EndedGame" },
  });

  it("says with the end of the game who gets which bonus", () => {
    const last = did([["PurchasedShares", 0, []], ["EndedGame", 0]]);
    expect(toldWithBonuses(last, safe, name)).toBe("buys nothing; ends the game; Luxor pays $7,000 to Ann and $3,500 to Ben");
    expect(toldWithBonuses(last, { ...safe, next: asked("PlayTile") }, name)).toBe("buys nothing; ends the game");
  });

  it("says who ended the game, and what allowed it", () => {
    expect(ended(safe, name)).toBe("Ben ended it: every chain is safe");
    const large = city(["LLLLLLLLLLLL", "LLLLLLLLLLLL", "LLLLLLLLLLLL", "LLLLL......T"], { next: safe.next });
    expect(ended(large, name)).toBe("Ben ended it: Luxor has 41 tiles");
    expect(ended({ ...safe, forfeited: [0, 1, 2] }, name)).toBe("Nobody plays any more, and every chain is safe");
    // Nobody did: then the reason says all there is.
    expect(ended({ ...safe, next: { ...safe.next, ending: "AllTilesPlayed" } }, name)).toBe(null);
  });

  it("has words for every message of the recorded games", () => {
    const games = JSON.parse(
      readFileSync(join(import.meta.dirname, "..", "..", "tests", "vectors", "acquire", "page.json"), "utf8"),
    ) as { events: AcquireEvent[] }[];
    for (const event of games.flatMap(({ events }) => events.slice(1))) {
      expect(told(event, name)).toMatch(/\w/);
      expect(told(event, name)).not.toMatch(/undefined|NaN|\$0\b/);
    }
  });
});

describe("lists of tables", () => {
  it("say mode and order", () => {
    expect(face.gist?.({ mode: "singles_4", order: "random" })).toEqual([]);
    expect(face.gist?.({ mode: "teams_3_vs_3", order: "teams" })).toEqual(["Teams 3 vs 3", "teams as they sit"]);
    expect(acquire.seatsFor?.({ mode: "teams_2_vs_2_vs_2" })).toEqual([6]);
  });

  it("know review data that somebody pastes", () => {
    expect(face.brought?.('[4,null,0,[1,2,3,4],["a","b","c","d"],1,[],[]]')).toEqual({ file: "pasted.acquire" });
    expect(face.brought?.("[1,2,3]")).toBe(null);
    expect(face.brought?.("[rules:dim:7]")).toBe(null);
  });
});

describe("the colours of the chains", () => {
  it("can be read in both palettes, and no two of one palette are the same", () => {
    const css = readFileSync(join(import.meta.dirname, "..", "src", "games", "acquire", "chains.css"), "utf8");
    const found = [...css.matchAll(/--chain: (#\w+); --on-chain: (#\w+)/g)].map(([, chain, on]) => [chain!, on!] as const);
    expect(found).toHaveLength(14);
    for (const palette of [found.slice(0, 7), found.slice(7)]) expect(new Set(palette.map(([chain]) => chain)).size).toBe(7);
    const light = (colour: string) => {
      const whole = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit).join("") : colour.slice(1);
      const [red, green, blue] = [0, 2, 4].map((from) => {
        const part = Number.parseInt(whole.slice(from, from + 2), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    for (const [chain, on] of found) {
      const [dark, bright] = [light(chain), light(on)].sort((one, other) => one - other) as [number, number];
      expect((bright + 0.05) / (dark + 0.05)).toBeGreaterThan(4.5);
    }
  });
});
