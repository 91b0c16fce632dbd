import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it, vi } from "vitest";

import type { GameCard } from "../src/games/card.ts";
import type { AnyGame } from "../src/games/game.ts";
import { filesOf, gameFace, gameView, shelf } from "../src/games/index.ts";
import { Shelf } from "../src/games/loading.svelte.ts";
import { SIGNS } from "../src/games/signs.ts";

const SOURCE = join(import.meta.dirname, "..", "src");
const GAMES = readdirSync(join(SOURCE, "games"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

afterEach(() => vi.restoreAllMocks());

describe("the page around the games", () => {
  const generic = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|svelte|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(SOURCE, "games")));

  it("knows games to look for", () => {
    expect(GAMES.length).toBeGreaterThanOrEqual(5);
    expect(generic.length).toBeGreaterThan(100);
  });

  it.each(GAMES)("does not name %s", (game) => {
    const named = new RegExp(`\\b${game}|${game}\\b`, "i");
    expect(generic.filter((path) => named.test(readFileSync(path, "utf8")))).toEqual([]);
  });

  it("has a sign for each game", () => {
    expect(SIGNS.map(({ game }) => game).sort()).toEqual([...GAMES].sort());
  });
});

describe("games that are loaded when they are needed", () => {
  const view = {} as AnyGame;
  const card = (load: GameCard["load"]): GameCard => ({ face: {} as GameCard["face"], load });

  it("say before that what lists of tables and files need", () => {
    expect(gameView("topple")).toBe(null);
    expect(filesOf("Game.TOPL")?.read).toBe("/api/topple/files");
    expect(filesOf("game.txt")).toBe(null);
    expect(gameFace("topple")?.gist?.({ x: 7, y: 6, topology: "hwrap", scoring: "tile", teams: [1, 2, 1, 2, 1, 2, 1, 2, 1, 2] })).toEqual(
      ["7x6", "sides joined", "points for tiles", "two teams"],
    );
    expect(gameFace("topple")?.colour?.(6, {}, null)).toBe(0);
    expect(gameFace("chess")).toBe(null);
  });

  it("are there afterwards", async () => {
    expect(await shelf.load("tower")).toBe(true);
    expect(gameView("tower")?.SeatSign).toBe(gameFace("tower")?.SeatSign);
  });

  it("are fetched once, however many ask", async () => {
    const load = vi.fn(() => Promise.resolve(view));
    const shelf = new Shelf({ game: card(load) });
    expect(await Promise.all([shelf.load("game"), shelf.load("game")])).toEqual([true, true]);
    expect(await shelf.load("game")).toBe(true);
    expect(load).toHaveBeenCalledTimes(1);
    expect(shelf.view("game")).toBe(view);
  });

  it("can be tried again when they could not be fetched", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const load = vi.fn<GameCard["load"]>().mockRejectedValueOnce(new TypeError("offline")).mockResolvedValue(view);
    const shelf = new Shelf({ game: card(load) });
    expect(await shelf.load("game")).toBe(false);
    expect(shelf.failure("game")).toBeInstanceOf(TypeError);
    expect(shelf.view("game")).toBe(null);
    expect(said).toHaveBeenCalledOnce();
    expect(await shelf.load("game")).toBe(true);
    expect(shelf.failure("game")).toBe(null);
  });

  it("are not there if the page has never heard of them", async () => {
    expect(await new Shelf({}).load("game")).toBe(false);
  });
});
