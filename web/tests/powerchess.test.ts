import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { EMPTY, seatOf, squareName } from "../src/games/powerchess/board.ts";
import { describe as described, explain } from "../src/games/powerchess/describe.ts";
import { face } from "../src/games/powerchess/face.ts";
import { powerchess } from "../src/games/powerchess/index.ts";
import { knownPieces } from "../src/games/powerchess/known_pieces.ts";
import { allLasting, lastingOn } from "../src/games/powerchess/lasting.ts";
import { layouts } from "../src/games/powerchess/layout.ts";
import { lookOf, pieces } from "../src/games/powerchess/pieces.ts";
import { powerTitles } from "../src/games/powerchess/power_names_texts.ts";
import { POWER_PICTURES } from "../src/games/powerchess/power_pictures.ts";
import { powerWords } from "../src/games/powerchess/power_texts.ts";
import {
  begun,
  evolve,
  POWERS,
  RARITIES,
  type Action,
  type Moved,
  type PowerChessEvent,
  type PowerChessState,
  type Used,
} from "../src/games/powerchess/rules.ts";
import { steps } from "../src/games/powerchess/unfolding.ts";

const at = (name: string) => (Number(name[1]) - 1) * 8 + name.charCodeAt(0) - "a".charCodeAt(0);
const move = (seat: number, start: string, end: string, more: Partial<Moved> = {}): Moved => ({
  type: "moved",
  seat,
  start: at(start),
  end: at(end),
  ...more,
});
const use = (seat: number, power: Used["power"], square: string, more: Partial<Used> = {}): Used => ({
  type: "used",
  seat,
  rarity: "common",
  power,
  square: at(square),
  ...more,
});
const after = (...events: PowerChessEvent[]) => events.reduce<PowerChessState>(evolve, begun());
/** The number of the piece on a square. */
const who = (state: PowerChessState, square: string) => knownPieces(state)[at(square)];

interface Recorded {
  events: PowerChessEvent[];
  states: Record<string, PowerChessState>;
}
const GAMES = JSON.parse(
  readFileSync(new URL("../../tests/vectors/powerchess/page.json", import.meta.url), "utf8"),
) as Recorded[];

describe("Power Chess as the server plays it", () => {
  it.each(GAMES.map((game, number) => ({ ...game, number })))("is folded the same, game $number", ({ events, states }) => {
    let state: PowerChessState | null = null;
    for (const [number, event] of events.entries()) {
      state = evolve(state, event);
      const recorded = states[number];
      if (recorded !== undefined) {
        const { known, ...told } = state;
        expect(told).toEqual(recorded);
        expect(known === undefined).toBe(number === 0);
      }
    }
  });

  it.each(GAMES.map((game, number) => ({ ...game, number })))("never shows one piece twice, game $number", ({ events }) => {
    let state: PowerChessState | null = null;
    for (const event of events) {
      const before: PowerChessState | null = state;
      state = evolve(state, event);
      const numbers = knownPieces(state).filter((one) => one !== null);
      expect(numbers).toHaveLength([...state.board].filter((letter) => letter !== EMPTY).length);
      expect(new Set(numbers).size).toBe(numbers.length);
      if (before === null) continue;
      // Nobody changes sides on the way.
      const sideOf = (position: PowerChessState, number: number) => seatOf(position.board[knownPieces(position).indexOf(number)]!);
      for (const number of numbers.filter((one) => knownPieces(before).includes(one))) {
        expect(sideOf(state, number)).toBe(sideOf(before, number));
      }
    }
  });

  it.each(GAMES.map((game, number) => ({ ...game, number })))("can be told and shown throughout, game $number", ({ events }) => {
    let state: PowerChessState | null = null;
    for (const event of events) {
      const before: PowerChessState | null = state;
      state = evolve(state, event);
      const keys = pieces(state, 0).map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const frame of before === null ? [] : steps(before, [event], 90)) expect(pieces(frame, 1).length).toBeGreaterThan(0);
      for (let square = 0; square < 64; square++) expect(described(state, square)).not.toMatch(/undefined|null|NaN|-\d/);
      for (const text of [powerchess.notation(event, state, String), powerchess.announcement(event, state, String)]) {
        expect(text ?? "").not.toMatch(/undefined|null|NaN/);
      }
    }
  });
});

describe("the pieces", () => {
  it("are known again wherever a move or a power takes them", () => {
    const start = begun();
    const pawn = who(start, "e2");
    const moved = after(move(0, "e2", "e4"));
    expect(who(moved, "e4")).toBe(pawn);
    const swapped = evolve(moved, use(0, "swap", "e4", { target: at("g1"), updates: [{ square: at("e4"), shown: "N" }, { square: at("g1"), shown: "P" }] }));
    expect([who(swapped, "g1"), who(swapped, "e4")]).toEqual([pawn, who(start, "g1")]);
    const away = evolve(moved, use(1, "send_away", "a7", { target: at("e4"), drawn: at("c1"), updates: [{ square: at("e4"), shown: "." }, { square: at("c1"), shown: "P" }] }));
    expect(who(away, "c1")).toBe(pawn);
    const back = evolve(moved, use(1, "rewind", "a7", { updates: [{ square: at("e4"), shown: "." }, { square: at("e2"), shown: "P" }] }));
    expect(who(back, "e2")).toBe(pawn);
  });

  it("castle together, and go back together", () => {
    const free = begun("R...K..R".padEnd(56, ".") + "r...k..r");
    const updates = [{ square: at("h1"), shown: "." }, { square: at("f1"), shown: "R" }];
    const castled = evolve(free, move(0, "e1", "g1", { updates, castling: "kq" }));
    expect([who(castled, "g1"), who(castled, "f1")]).toEqual([who(free, "e1"), who(free, "h1")]);
    const undone = evolve(castled, use(1, "rewind", "a8", { updates: ["g1", "f1"].map((name) => ({ square: at(name), shown: "." })).concat([{ square: at("e1"), shown: "K" }, { square: at("h1"), shown: "R" }]) }));
    expect([who(undone, "e1"), who(undone, "h1")]).toEqual([who(free, "e1"), who(free, "h1")]);
    expect(powerchess.notation(move(0, "e1", "g1", { updates }), castled, String)).toBe("O-O");
  });

  it("are saved by a net, also on the square that the other leaves", () => {
    const netted = { ...begun("........".repeat(6) + "....p..." + "...kR..."), marks: [{ square: at("e7"), net: true }] };
    const saved = evolve(netted, move(0, "e8", "e7", { saved: at("e8"), updates: [{ square: at("e8"), shown: "p" }], marks: [] }));
    expect([who(saved, "e7"), who(saved, "e8")]).toEqual([who(netted, "e8"), who(netted, "e7")]);
    expect(powerchess.notation(move(0, "e8", "e7", { saved: at("e8") }), saved, String)).toBe("Re8xe7, net to e8");
  });

  it("that are cloned or come back are new ones", () => {
    const cloned = evolve(begun(), use(0, "clone", "g1", { drawn: at("e4"), updates: [{ square: at("e4"), shown: "N" }] }));
    expect(knownPieces(begun())).not.toContain(who(cloned, "e4"));
  });

  it("stay the same objects while nothing happens to them", () => {
    const [before, now] = [pieces(begun(), 0), pieces(after(move(0, "e2", "e4")), 0)];
    expect(before.filter((one) => !now.includes(one))).toHaveLength(1);
  });
});

describe("what lasts", () => {
  const state: PowerChessState = {
    ...begun("....K...".padEnd(24, ".") + "P.QN....".padEnd(32, ".") + "....k..."),
    ply: 10,
    marks: [
      { square: at("d4"), shield: 14, net: true },
      { square: at("c4"), awake: 17, guard: 11, really: "B" },
    ],
    holes: [{ square: at("f5"), end: 11 }],
    boxes: [{ square: at("b3"), rarity: "legendary" }],
    energized: [18, 0],
  };

  it("is counted in moves that are left", () => {
    expect(lastingOn(state, at("d4")).map(({ kind, left }) => [kind, left])).toEqual([["shield", 4], ["net", null]]);
    expect(lastingOn(state, at("a4")).map(({ kind, left }) => [kind, left])).toEqual([["energy", 8]]);
    expect(allLasting(state).map(({ kind, square }) => `${kind} ${square === null ? "" : squareName(square)}`)).toEqual([
      "energy ",
      "shield d4",
      "net d4",
      "guard c4",
      "awake c4",
      "hole f5",
    ]);
  });

  it("is read aloud, square by square", () => {
    expect(described(state, at("d4"))).toBe("white knight, shield for 4 more moves, safety net");
    expect(described(state, at("c4"))).toBe("white queen, invulnerable for 1 more move, awake for 7 more moves, really a bishop");
    expect(described(state, at("a4"))).toBe("white pawn, energized for 8 more moves");
    expect(described(state, at("f5"))).toBe("black hole for 1 more move");
    expect(described(state, at("b3"))).toBe("legendary box");
    expect(described(state, at("h1"))).toBe("empty");
  });

  it("is explained to whoever points at it, and nothing else is", () => {
    expect(explain(state, at("d4"))).toContain("cannot be captured or destroyed for 4 more moves, or until it captures");
    expect(explain(state, at("c4"))).toContain("and then a bishop again");
    expect(explain(state, at("f5"))).toContain("nothing can land here for 1 more move");
    expect(explain(state, at("b3"))).toContain("choose one of two legendary powers");
    expect(explain(state, at("e1"))).toBe(null);
    expect(explain(state, at("h1"))).toBe(null);
  });

  it("is drawn on the piece", () => {
    const looks = pieces(state, 0).map(lookOf);
    expect(looks).toContainEqual({ what: "hole", left: 1, most: 12 });
    expect(looks).toContainEqual({ what: "box", rarity: "legendary", open: false });
    expect(looks).toContainEqual({
      what: "piece",
      letter: "Q",
      really: "B",
      leaving: false,
      lasting: [["guard", 1, 2], ["awake", 7, 8]],
    });
  });
});

describe("choosing", () => {
  const paths = (actions: Action[], state: PowerChessState) => actions.map((action) => powerchess.path(action, state, 0));
  const choosing = { ...begun(), choice: { square: at("e4"), rarity: "common" as const, powers: ["swap", "shield"] as const } };

  it("a move is two squares, and a promotion one word more", () => {
    const nearly = begun("........".repeat(6) + "P......." + "........");
    const actions: Action[] = (["queen", "rook", "bishop", "knight"] as const).map((promotion) => ({ type: "move", start: at("a7"), end: at("a8"), promotion }));
    expect(paths(actions, nearly)).toEqual([
      ["48", "56", "promote-queen"],
      ["48", "56", "promote-rook"],
      ["48", "56", "promote-bishop"],
      ["48", "56", "promote-knight"],
    ]);
    expect(paths([actions[0]!], { ...nearly, energized: [9, 0] })).toEqual([["48", "56"]]);
    expect(paths([{ type: "move", start: at("e2"), end: at("e4"), promotion: "queen" }], begun())).toEqual([["12", "28"]]);
  });

  it("is known again from what came of it, as the server writes it", () => {
    const { action } = powerchess.analysed!;
    const nearly = begun("........".repeat(6) + "P.Q....." + "........");
    const moved = (start: string, shown?: string) => ({
      type: "moved" as const,
      seat: 0,
      start: at(start),
      end: at(start) + 8,
      updates: shown === undefined ? [] : [{ square: at(start) + 8, shown }],
    });
    expect(action(moved("a7", "N"), nearly)).toEqual({ type: "move", start: 48, end: 56, promotion: "knight" });
    expect(action(moved("a7", "Q+"), nearly)).toEqual({ type: "move", start: 48, end: 56, promotion: "queen" });
    // A piece that is no longer awake is no promotion.
    expect(action(moved("c7", "N"), nearly)).toEqual({ type: "move", start: 50, end: 58, promotion: "queen" });
    expect(action(moved("e2"), begun())).toEqual({ type: "move", start: 12, end: 20, promotion: "queen" });
    const used = { type: "used" as const, seat: 0, rarity: "common" as const, power: "shield" as const, square: 1 };
    expect(action(used, begun())).toEqual({ type: "use", power: "shield", target: null });
    expect(action({ type: "ended", winner: 0, reason: "resigned" }, begun())).toBe(null);
  });

  it("a power is a card, and then its square or the word to go", () => {
    const actions: Action[] = [{ type: "use", power: "swap", target: 0 }, { type: "use", power: "shield", target: null }];
    expect(paths(actions, choosing)).toEqual([["power-swap", "0"], ["power-shield", "use"]]);
  });

  it("has keys for both cards, and none for what is not seen", () => {
    const picked = (key: string, state: PowerChessState) => {
      const found = powerchess.keys!.find((one) => one.key === key)!;
      return "pick" in found ? found.pick(state, 0) : null;
    };
    expect([picked("1", choosing), picked("2", choosing)]).toEqual(["power-swap", "power-shield"]);
    const unseen = { ...choosing, choice: { ...choosing.choice, powers: ["unseen", "unseen"] as const } };
    expect([picked("1", unseen), picked("2", begun())]).toEqual([null, null]);
    expect(new Set(powerchess.keys!.map(({ key }) => key)).size).toBe(powerchess.keys!.length);
  });

  it("shows the piece where it would go, and nothing for what only has an effect", () => {
    const [shown] = powerchess.preview(begun(), 0, { type: "move", start: at("e2"), end: at("e4") }, 0);
    expect(shown).toMatchObject({ key: "piece-12", x: layouts[0]!.squares[at("e4")]!.x });
    expect(powerchess.preview(choosing, 0, { type: "use", power: "shield" }, 0)).toEqual([]);
  });

  it("keeps an offer of a draw while a power is used, and not after a move", () => {
    expect(powerchess.keepsOffers!([use(0, "shield", "e4")])).toBe(true);
    expect(powerchess.keepsOffers!([move(0, "e2", "e4")])).toBe(false);
  });
});

describe("telling", () => {
  it("writes moves as players do", () => {
    const cases: [Moved, string, string][] = [
      [move(0, "e2", "e4"), "e2-e4", "pawn from e2 to e4"],
      [move(0, "b1", "c3", { box: { square: at("d4"), rarity: "rare" } }), "Nb1-c3, rare box d4", "knight from b1 to c3, a rare box comes on d4"],
      [move(0, "d1", "d7", { captured: "p" }), "Qd1xd7", "queen from d1 to d7, takes a pawn"],
      [move(0, "a2", "a8", { captured: "r", updates: [{ square: at("a8"), shown: "N" }] }), "a2xa8=N", "pawn from a2 to a8, takes a rook, becomes a knight"],
      [move(0, "d1", "e8", { captured: "k" }), "Qd1xe8", "queen from d1 to e8, takes the king"],
    ];
    for (const [event, written, aloud] of cases) {
      expect(powerchess.notation(event, after(event), String)).toBe(written);
      expect(powerchess.announcement(event, after(event), String)).toBe(aloud);
    }
  });

  it("says a king where another one is left", () => {
    const event = move(0, "d1", "e8", { captured: "k" });
    const state = after(event);
    expect(powerchess.announcement(event, { ...state, board: `k${state.board.slice(1)}` }, String)).toContain("takes a king");
  });

  it("says what a box holds to whoever may know, and to nobody else", () => {
    const offered = { type: "offered", seat: 0, square: at("e4"), rarity: "rare", powers: ["energize", "send_away"] } as const;
    const state = after(move(0, "e2", "e4"), offered);
    expect(powerchess.notation(offered, state, String)).toBe("takes rare box");
    // The table says that somebody resigned; once is enough.
    expect(powerchess.notation({ type: "ended", winner: 1, reason: "resigned" }, state, String)).toBe(null);
    expect(powerchess.announcement(offered, state, String)).toBe("a rare box: Energize, or Send Away");
    const hidden = { ...offered, powers: ["unseen", "unseen"] as const };
    expect(powerchess.announcement(hidden, state, String)).toBe("has taken a rare box and chooses a power");
    expect(powerchess.standing!(state, 0).words).toBe("chooses a power");
    expect(powerchess.highlights(state, [], null)).toContainEqual({ kind: "goes-on", squares: [String(at("e4"))], seat: null });
  });

  it("writes powers with what they were used on, and what chance brought", () => {
    const swap = use(0, "swap", "e4", { target: at("g1") });
    expect(powerchess.notation(swap, begun(), String)).toBe("Swap g1");
    const reanimate = use(0, "reanimate", "e4", { drawn: at("c1"), reanimated: "N" });
    expect(powerchess.notation(reanimate, begun(), String)).toBe("Reanimate to c1");
    expect(powerchess.announcement(reanimate, begun(), String)).toBe("uses Reanimate, a knight comes back, to c1");
    expect(powerchess.dramatic(swap, begun())).toBe(true);
  });

  it("marks where the king fell", () => {
    const last = move(0, "d1", "e8", { captured: "k", last: true });
    const ended = { type: "ended", winner: 0, reason: "king" } as const;
    const won = after(last, ended);
    expect(won.ply).toBe(0);
    expect(powerchess.highlights(won, [last, ended], null)).toContainEqual({ kind: "win", squares: [String(at("e8"))], seat: 0 });
  });
});

describe("seen by each side", () => {
  it("has the own pieces below", () => {
    const [white, black] = [powerchess.sideOf!(0), powerchess.sideOf!(1)];
    expect([white, black, powerchess.sideOf!(null)]).toEqual([0, 1, 0]);
    expect(layouts[white]!.squares[at("e1")]).toMatchObject({ row: 7, column: 4, name: "e1" });
    expect(layouts[black]!.squares[at("e1")]).toMatchObject({ row: 0, column: 3, name: "e1" });
  });
});

describe("the cards", () => {
  it.each(RARITIES.flatMap((rarity) => POWERS[rarity]))("has a picture, a name and one sentence for %s", (power) => {
    expect(powerTitles[power]).not.toBe("");
    expect(powerWords[power].does).toMatch(/^[^.]+\.$/);
    expect(POWER_PICTURES[power].lines).toMatch(/^M/);
  });
});

describe("the way a power is seen", () => {
  it("lets those who are destroyed go at the end", () => {
    const state = begun("....K...P......." + "........".repeat(4) + "p.......rnbqkbnr");
    const event = use(0, "armageddon", "e1", { updates: [at("a2"), at("a7")].map((square) => ({ square, shown: "." })) });
    const frames = steps(state, [event], 90);
    expect(frames[0]!.leaving).toBe(undefined);
    expect(frames.at(-1)!.leaving).toEqual([at("a2"), at("a7")]);
    expect(pieces(frames.at(-1)!, 0).map(lookOf).filter((look) => look.what === "piece" && look.leaving)).toHaveLength(2);
  });

  it("opens the box that was taken", () => {
    const state = { ...begun(), boxes: [{ square: at("e4"), rarity: "rare" as const }] };
    const frames = steps(state, [move(0, "e2", "e4", { took: "rare" })], 90);
    expect(frames.length).toBeGreaterThan(0);
    expect(pieces(frames[0]!, 0).map(lookOf)).toContainEqual({ what: "box", rarity: "rare", open: true });
    expect(steps(state, [move(0, "e2", "e3")], 90)).toEqual([]);
  });
});

describe("in lists of tables and files", () => {
  it("says whether boxes come", () => {
    expect(face.gist!({ boxes: false })).toEqual(["no boxes"]);
    expect(face.gist!({ boxes: true })).toEqual([]);
  });

  it("knows a game that is pasted", () => {
    expect(face.brought!('[White "Ann"]\n[Variant "Power Chess"]\n\n1. e2-e4 *')).toEqual({ file: "pasted.pgn" });
    // Of other chess the server says what is different about it.
    expect(face.brought!('[Event "Chess"]\n\n1. e4 *')).toEqual({ file: "pasted.pgn" });
    expect(face.brought!("1. beach, 2. forest")).toBe(null);
  });

  it("offers the clocks that players know by name", () => {
    expect(powerchess.clocks!.map(({ text, clock }) => [text, clock])).toEqual([
      ["Quick", { kind: "bank", main: 300_000, increment: 5_000 }],
      ["Standard", { kind: "bank", main: 900_000, increment: 15_000 }],
      ["Slow", { kind: "bank", main: 2_700_000, increment: 45_000 }],
    ]);
  });
});
