import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, vi } from "vitest";

import { RulesCheck } from "../src/games/tafl/checking.svelte.ts";
import { explain } from "../src/games/tafl/explain.ts";
import { face } from "../src/games/tafl/face.ts";
import { EMPTY, groundOf, isHostile, spaceName } from "../src/games/tafl/ground.ts";
import { tafl, way } from "../src/games/tafl/index.ts";
import { inWords } from "../src/games/tafl/in_words.ts";
import { thoughts as germanThoughts } from "../src/games/tafl/in_words_texts.de.ts";
import { layoutOf } from "../src/games/tafl/layout.ts";
import { begun, evolve, steps, stonesOf, type Moved, type TaflEvent, type TaflState } from "../src/games/tafl/rules.ts";
import { QUESTIONS } from "../src/games/tafl/editor_texts.ts";
import { around, isDrawable, unknownKeys, valueOf, withPiece, withSize, withValue } from "../src/games/tafl/rules_text.ts";
import { words } from "../src/games/tafl/texts.ts";
import { VARIANTS } from "../src/games/tafl/variants.ts";
import { wander } from "../src/lib/board/keys.ts";
import type { Explained } from "../src/lib/hall/analysis.ts";
import { Refused } from "../src/lib/wire/refused.ts";

const VECTORS = join(import.meta.dirname, "..", "..", "tests", "vectors", "tafl");

type RecordedMove = [simple: string, record: string, captures: string[], after: string, next: string, berserker: string | null];
interface RecordedGame {
  id: string;
  rules: string;
  moves: RecordedMove[];
}

const GAMES = readdirSync(join(VECTORS, "games")).flatMap((name) => {
  const games = JSON.parse(readFileSync(join(VECTORS, "games", name), "utf8")) as RecordedGame[];
  // Inverted starts are written otherwise by the server, which alone reads them.
  return games.slice(0, 1).filter(({ rules }) => rules.includes(" start:"));
});

function numberOf(name: string, size: number): number {
  return (Number(name.slice(1)) - 1) * size + name.charCodeAt(0) - "a".charCodeAt(0);
}

function event(state: TaflState, [simple, record, captures, , next]: RecordedMove): Moved {
  const { size } = groundOf(state.rules);
  const [start, end] = simple.split("-").map((name) => numberOf(name, size)) as [number, number];
  const seat = state.turn!;
  const again = (next === "a" ? 0 : 1) === seat;
  return { type: "moved", seat, start, end, record, captured: captures.map((name) => numberOf(name, size)), again };
}

const brandub = () => begun(VARIANTS.brandub!);

describe("Tafl on the page", () => {
  it.each(GAMES)("shows every position of the recorded game $id", ({ rules, moves }) => {
    let state = begun(rules);
    for (const move of moves) {
      state = evolve(state, event(state, move));
      const after = move[3].replace(/\d+/g, (count) => EMPTY.repeat(Number(count))).replaceAll("/", "");
      expect(state.board).toBe(after);
      expect(state.turn).toBe(move[4] === "a" ? 0 : 1);
      expect(new Set(stonesOf(state)).size).toBe(state.board.length);
    }
  });

  it("knows a stone again after it has moved", () => {
    const before = tafl.pieces(brandub(), 0, null);
    const after = tafl.pieces(evolve(brandub(), { type: "moved", seat: 0, start: 10, end: 7, record: "d2-a2" }), 0, null);
    const gone = before.filter((one) => !after.includes(one));
    const come = after.filter((one) => !before.includes(one));
    expect(gone).toHaveLength(1);
    expect(come.map(({ key }) => key)).toEqual(gone.map(({ key }) => key));
  });

  it("keeps the order of the stones when one moves past others, so that it is seen to slide", () => {
    const keys = (state: TaflState) => tafl.pieces(state, 0, null).map(({ key }) => key);
    const after = evolve(brandub(), { type: "moved", seat: 0, start: 22, end: 1, record: "b4-b1" });
    expect(keys(after)).toEqual(keys(brandub()));
  });

  it("lets captured stones fall one after the other once the other has arrived", () => {
    const moved: TaflEvent = { type: "moved", seat: 0, start: 10, end: 7, record: "", captured: [17, 23] };
    const frames = steps(brandub(), [moved], 90);
    expect(frames.map(({ falling }) => falling ?? [])).toEqual([[], [], [17], [17, 23], [17, 23]]);
    expect(frames.every(({ board }) => board[7] === "t" && board[17] === "T")).toBe(true);
    expect(tafl.highlights(frames[0]!, [], null)).toContainEqual({ kind: "takes", squares: ["17", "23"], seat: null });
    const kinds = tafl.pieces(frames.at(-1)!, 0, null).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.endsWith("falling"))).toEqual(["T-falling", "T-falling"]);
    expect(steps(brandub(), [{ ...moved, captured: [] }], 90)).toEqual([]);
  });

  it("lets those beside a stone that they take close in on it while it falls, and nobody else", () => {
    const moved: TaflEvent = { type: "moved", seat: 0, start: 10, end: 7, record: "", captured: [17, 23] };
    const frames = steps(brandub(), [moved], 90);
    const [waiting, closing] = [frames[0]!, frames.at(-1)!].map((frame) => tafl.pieces(frame, 0, null));
    const leaning = closing!.filter(({ x, y }, index) => x !== waiting![index]!.x || y !== waiting![index]!.y);
    expect(leaning.map(({ key }) => key)).toEqual(["22"]);
    const [from, towards] = [22, 23].map((space) => tafl.layout(brandub(), 0, null).squares.find(({ id }) => id === String(space))!);
    expect(leaning[0]!.x).toBeGreaterThan(from!.x);
    expect(leaning[0]!.x).toBeLessThan((from!.x + towards!.x) / 2);
    expect(leaning[0]!.y).toBe(from!.y);
    expect(frames.map((frame) => tafl.heard?.(frame) ?? null)).toEqual([null, null, 1, 2, 2]);
  });

  it("shows a mercenary on the other side", () => {
    const state = begun("dim:5 name:M atkf:y start:/2t2/2M2/2K2/5/2t2/");
    const after = evolve(state, { type: "moved", seat: 0, start: 2, end: 1, record: "", captured: [7] });
    expect(after.board[7]).toBe("m");
  });

  it("asks for two picks, and shows the piece where it would be", () => {
    const action = { type: "move" as const, start: 10, end: 7 };
    expect(tafl.path(action, brandub(), 0)).toEqual(["10", "7"]);
    const [shown] = tafl.preview(brandub(), 0, action, 0);
    expect(shown).toMatchObject({ key: "10", ...layoutOf(VARIANTS.brandub!, 0).at[7] });
  });

  it("tells the server again what was done", () => {
    expect(tafl.analysed!.action({ type: "moved", seat: 0, start: 1, end: 2, record: "b1-c1" }, tafl.start)).toEqual({ type: "move", start: 1, end: 2 });
    expect(tafl.analysed!.action({ type: "ended", winner: 0, reason: "resigned" }, tafl.start)).toBe(null);
  });

  it("writes moves as players do", () => {
    const moved: TaflEvent = { type: "moved", seat: 1, start: 24, end: 21, record: "Kd4-a4xb4", captured: [22] };
    expect(tafl.notation(moved, brandub(), String)).toBe("Kd4-a4xb4");
    const state = evolve(brandub(), moved);
    expect(tafl.announcement(moved, state, String)).toBe("the king from d4 to a4, captures b4");
    expect(tafl.notation({ type: "ended", winner: 0, reason: "resigned" }, state, String)).toBe(null);
    expect(tafl.announcement({ type: "ended", winner: 0, reason: "resigned" }, state, String)).toBe("resigns");
    expect(tafl.notation({ type: "ended", winner: 0, reason: "recorded" }, state, String)).toBe("ends");
    expect(tafl.dramatic(moved, state)).toBe(true);
  });

  it("draws the way of a king who escapes", () => {
    expect(way(3, 0, 7)).toEqual([3, 2, 1, 0]);
    expect(way(2, 16, 7)).toEqual([2, 9, 16]);
    const king = begun("dim:7 name:E atkf:n start:/3K3/7/7/3t3/7/7/3T3/");
    const moved: TaflEvent = { type: "moved", seat: 1, start: 3, end: 0, record: "Kd1-a1" };
    const ended: TaflEvent = { type: "ended", winner: 1, reason: "escape" };
    const won = tafl.highlights(evolve(evolve(king, moved), ended), [moved, ended], null).find(({ kind }) => kind === "win");
    expect(won).toEqual({ kind: "win", squares: ["3", "2", "1", "0"], seat: 1 });
  });

  it("shows a captured king's space, and the attackers beside it", () => {
    const before = begun("dim:7 name:C ks:w start:/7/7/7/tK5/2t4/T6/7/");
    const moved: TaflEvent = { type: "moved", seat: 0, start: 30, end: 23, record: "c5-c4xKb4", captured: [22] };
    const ended: TaflEvent = { type: "ended", winner: 0, reason: "king_captured" };
    const won = tafl.highlights(evolve(evolve(before, moved), ended), [moved, ended], null).find(({ kind }) => kind === "win");
    expect(won).toEqual({ kind: "win", squares: ["22", "21", "23"], seat: 0 });
  });

  it("marks the piece that goes on", () => {
    const state = evolve(brandub(), { type: "moved", seat: 0, start: 10, end: 7, record: "", captured: [17], again: true });
    expect(state).toMatchObject({ turn: 0, berserk: 7 });
    expect(tafl.highlights(state, [], null)).toContainEqual({ kind: "goes-on", squares: ["7"], seat: null });
    expect(tafl.standing!(state, 0).words).toBe("8 attackers, moves again");
  });
});

describe("the field", () => {
  it.each(Object.entries(VARIANTS))("of %s has a space for every letter of its start", (_, rules) => {
    const ground = groundOf(rules);
    expect(ground.start).toHaveLength(ground.size ** 2);
    expect(ground.start).toContain("K");
    const layout = layoutOf(rules, 0);
    expect(layout.squares).toHaveLength(ground.size ** 2);
    expect(new Set(layout.squares.map(({ name }) => name)).size).toBe(ground.size ** 2);
    for (const { x, y } of layout.squares) {
      expect(Math.min(x, y)).toBeGreaterThan(layout.rim);
      expect(Math.max(x, y)).toBeLessThan(layout.width - layout.rim);
    }
  });

  it("has the first rank below, or above once it is turned", () => {
    const [one, other] = [layoutOf(VARIANTS.brandub!, 0), layoutOf(VARIANTS.brandub!, 1)];
    expect(one.squares[0]).toMatchObject({ name: "a1", row: 6, column: 0 });
    expect(other.squares[0]).toMatchObject({ name: "a1", row: 0, column: 6 });
    expect(wander(one, "0", "ArrowUp")).toBe("7");
    expect(wander(other, "0", "ArrowDown")).toBe("7");
    expect(one.coordinates.filter(({ y }) => y > one.height - one.rim).map(({ text }) => text).join("")).toBe("abcdefg");
  });

  it("calls spaces as players do", () => {
    expect(spaceName(0, 19)).toBe("a1");
    expect(spaceName(360, 19)).toBe("s19");
  });

  it("knows which spaces are special, also by lists of their own", () => {
    const evangelii = groundOf(VARIANTS.alea_evangelii!);
    expect(evangelii.kinds.filter((kind) => kind === "corner")).toHaveLength(16);
    const foteviken = groundOf(VARIANTS.foteviken!);
    expect(foteviken.kinds.filter((kind) => kind === "attackerFort")).toHaveLength(16);
    expect(foteviken.kinds.filter((kind) => kind === "corner")).toHaveLength(0);
    const last = groundOf("dim:5 name:L cor:c3, cen:c3, start:/2t2/5/2K2/5/5/");
    expect(last.kinds[12]).toBe("centre");
  });

  it("says to whom a space is hostile", () => {
    const { start, ...ground } = groundOf(VARIANTS.copenhagen!);
    const on = { start, ...ground };
    const empty = EMPTY.repeat(121);
    expect(isHostile(on, empty, 0, "T")).toBe(true);
    expect(isHostile(on, empty, 60, "T")).toBe(true);
    expect(isHostile(on, start, 60, "T")).toBe(false);
    expect(isHostile(on, start, 60, "t")).toBe(true);
    expect(isHostile(on, start, 1, "t")).toBe(false);
  });

  it("explains what is special, and only that", () => {
    const state = begun(VARIANTS.copenhagen!);
    expect(explain(state, 1)).toBe(null);
    expect(explain(state, 0)).toBe(
      "A corner. Only the king may stop here. Like an enemy, it helps to capture anybody. If the king gets here, he has escaped.",
    );
    expect(explain(state, 60)).toContain("The king. He is captured by enemies on all four sides. The throne.");
    expect(explain(state, 60)).toContain("While somebody stands here, it helps to capture attackers.");
    expect(explain(begun(VARIANTS.foteviken!), 27)).toContain("Nobody may come in again.");
    expect(explain(begun(VARIANTS.berserk!), 16)).toBe("A commander. It may jump over an enemy beside it.");
    expect(explain(begun(VARIANTS.magpie!), 24)).toContain("He goes at most 1 space at a time.");
    expect(explain(begun(VARIANTS.sea_battle!), 40)).toContain("He takes no part in captures.");
    expect(explain(begun(`${VARIANTS.brandub!} spd:2,`), 3)).toBe("An attacker. It goes at most 2 spaces at a time.");
    expect(explain(begun(`${VARIANTS.brandub!} spd:2,-1`), 17)).toBe(null);
  });
});

describe("what somebody brings along", () => {
  const rules = "dim:7 name:Slow start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

  it("is a game, rules for a new table, or nothing", () => {
    expect(face.brought!(`[event:x]\n[rules:${rules}]\n\n1. d1-c1\n`)).toEqual({ file: "pasted.otg" });
    expect(face.brought!(`  ${rules.replace(" name", "\n  name")}\n`)).toEqual({ options: { rules } });
    expect(face.brought!(`esc:e ${rules}`)).toEqual({ options: { rules: `esc:e ${rules}` } });
    expect(face.brought!("a link: https://example.org/dim:7")).toBe(null);
    expect(face.brought!("[1, 2, 3]")).toBe(null);
  });

  it("is told of tables in lists", () => {
    expect(face.gist!({ variant: "", title: "Wild 7x7", quirks: true, moves: 4 })).toEqual(["Wild 7x7", "goes on", "as OpenTafl plays"]);
    expect(face.gist!({ variant: "brandub", title: "Brandub 7x7", quirks: false, moves: 0 })).toEqual(["Brandub 7x7"]);
  });
});

describe("who is left", () => {
  it("is said of each side in its own words", () => {
    const left = (board: string, seat: number) => tafl.standing!(begun(`dim:5 name:L start:/${board}/`), seat).words;
    expect(left("t1K1T/5/5/5/5", 0)).toBe("1 attacker");
    expect(left("t1K1T/5/5/5/5", 1)).toBe("king and 1");
    expect(left("t1K2/5/5/5/5", 1)).toBe("king alone");
    expect(left("tKK1T/5/5/5/5", 1)).toBe("2 kings and 1");
    expect(left("t3T/5/5/5/5", 1)).toBe("1 defender");
  });
});

describe("rules in words", () => {
  const said = JSON.parse(readFileSync(join(VECTORS, "in_words.json"), "utf8")) as { rules: string; words: string[] }[];

  it.each(said)("are what the server says of $rules", ({ rules, words }) => {
    expect(inWords(rules)).toEqual(words);
  });

  it("are whole sentences in German, too", () => {
    expect(germanThoughts.area("corner", 4, null, [germanThoughts.stops("K", "tTK"), germanThoughts.passes("", "tTK")])).toBe(
      "Die Ecken: nur der König darf dort halten; niemand darf hindurchziehen.",
    );
    expect(germanThoughts.hostileEmpty("t", "tTK")).toBe("Solange er leer ist, hilft er, die Angreifer zu schlagen.");
    expect(germanThoughts.hostile("tK", "tcTK")).toBe("Wie ein Feind hilft ein solches Feld, die Taflsteine der Angreifer und den König zu schlagen.");
    expect(germanThoughts.someSlow([["K", 1]])).toBe("Sie ziehen, so weit sie wollen. Ausnahmen: der König höchstens 1 Feld.");
  });
});

describe("a rules string that is edited", () => {
  const five = "dim:5 name:Five start:/2t2/5/t1K1t/5/2t2/";

  it.each(Object.entries(VARIANTS))("such as that of %s can be drawn, has no unknown key and is told apart in words", (name, rules) => {
    expect(isDrawable(rules)).toBe(true);
    expect(unknownKeys(rules)).toEqual([]);
    expect(words.about[name]).toMatch(/\.$/);
  });

  it("has one value changed, added before the start, or taken out, and the rest as it was", () => {
    expect(withValue(five, "name", "V")).toBe("dim:5 name:V start:/2t2/5/t1K1t/5/2t2/");
    expect(withValue(five, "esc", "e")).toBe("dim:5 name:Five esc:e start:/2t2/5/t1K1t/5/2t2/");
    expect(withValue(withValue(five, "esc", "e"), "esc", null)).toBe(five);
    expect(valueOf(five, "esc")).toBe(null);
  });

  it("gets another piece on one space", () => {
    expect(withPiece(five, 5, 0, "C")).toBe("dim:5 name:Five start:/C1t2/5/t1K1t/5/2t2/");
    expect(withPiece(five, 5, 12, EMPTY)).toBe("dim:5 name:Five start:/2t2/5/t3t/5/2t2/");
  });

  it("keeps what stands in the middle on a board of another size", () => {
    const seven = withSize(five, 7);
    expect(seven).toBe("dim:7 name:Five start:/7/3t3/7/1t1K1t1/7/3t3/7/");
    expect(withSize(seven, 5)).toBe(five);
  });

  it("is not drawn while it is no board", () => {
    for (const text of ["", "dim:5 start:/5/", "dim:6 start:/6/6/6/6/6/6/", five.replace("start", "starti"), five.replace("K", "x")]) {
      expect(isDrawable(text)).toBe(false);
    }
  });

  it("shows a key that was mistyped", () => {
    expect(unknownKeys(`esx:e ${five}`)).toEqual(["esx"]);
  });

  it("has the same on all sides where somebody wants that", () => {
    expect(around(12, 5)).toEqual([12]);
    expect(around(0, 5).toSorted((a, b) => a - b)).toEqual([0, 4, 20, 24]);
    expect(around(1, 5)).toHaveLength(8);
  });

  it("asks about nothing twice, and what is usual is among the answers", () => {
    expect(new Set(QUESTIONS.map(({ key }) => key)).size).toBe(QUESTIONS.length);
    for (const { key, usual, answers } of QUESTIONS) {
      expect(answers).toHaveProperty(usual);
      expect(unknownKeys(`${key}:${usual}`)).toEqual([]);
    }
  });
});

describe("rules that are written", () => {
  const answer = (rules: string): Explained => ({ options: { rules }, state: null });

  it("are asked about one at a time, and only the newest counts", async () => {
    vi.useFakeTimers();
    const open: ((found: Explained) => void)[] = [];
    const asked: string[] = [];
    const check = new RulesCheck((rules) => {
      asked.push(rules);
      return new Promise((resolve) => open.push(resolve));
    });
    check.check("a");
    check.check("ab");
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(["ab"]);
    check.check("abc");
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(["ab"]);
    open[0]!(answer("ab"));
    await vi.advanceTimersByTimeAsync(0);
    expect(check.found).toBe(null);
    expect(asked).toEqual(["ab", "abc"]);
    open[1]!(answer("abc"));
    await vi.advanceTimersByTimeAsync(0);
    expect(check.found?.options).toEqual({ rules: "abc" });
    vi.useRealTimers();
  });

  it("have their mistake shown with its place, and are asked about again where nothing is known", async () => {
    vi.useFakeTimers();
    const ask = vi
      .fn<(rules: string) => Promise<Explained>>()
      .mockRejectedValueOnce(new Refused("too_many_tries", "Slowly."))
      .mockRejectedValueOnce(new Refused("bad_options", "No.", { line: 1, column: 5 }));
    const check = new RulesCheck(ask);
    check.check("dim:");
    await vi.advanceTimersByTimeAsync(400);
    expect(check.problem).toBe(null);
    await vi.advanceTimersByTimeAsync(3000);
    expect(check.problem).toEqual({ message: "No.", place: { line: 1, column: 5 } });
    expect(ask).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });
});
