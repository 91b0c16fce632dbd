import { describe, expect, it } from "vitest";

import { FirstTime } from "../src/lib/first_time.svelte.ts";
import { arranged, type Place } from "../src/routes/lobby/steady.svelte.ts";
import { passwordProblem } from "../src/routes/people/password.ts";
import type { Summary } from "../src/lib/wire/types.ts";

const tables = (...ids: string[]) => ids.map((id) => ({ id })) as Summary[];
const seen = (places: readonly Place[]) => places.map(({ table, gone }) => (gone ? `(${table.id})` : table.id)).join(" ");

describe("a list of tables", () => {
  const first = arranged([], tables("a", "b", "c"));

  it("stands as it is given at first, and moves nobody when the order changes", () => {
    expect(seen(first)).toBe("a b c");
    expect(seen(arranged(first, tables("c", "a", "b")))).toBe("a b c");
  });

  it("keeps the place of who goes, and gives it to who comes", () => {
    const gap = arranged(first, tables("a", "c"));
    expect(seen(gap)).toBe("a (b) c");
    expect(seen(arranged(gap, tables("d", "a", "c")))).toBe("a d c");
    expect(seen(arranged(first, tables("d", "a", "b", "c")))).toBe("a b c d");
  });

  it("keeps no places at its end, where nothing would move", () => {
    expect(seen(arranged(first, tables("a")))).toBe("a");
    expect(seen(arranged(first, []))).toBe("");
  });
});

describe("how a game goes", () => {
  function shelf() {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
  }

  it("is said until somebody knows it, also after the page was closed, and for each game", () => {
    const kept = shelf();
    const one = new FirstTime(kept);
    expect(one.explains("go")).toBe(true);
    one.learned("go");
    expect(one.explains("go")).toBe(false);
    const later = new FirstTime(kept);
    expect([later.explains("go"), later.explains("chess")]).toEqual([false, true]);
  });

  it("is said where what was kept cannot be read", () => {
    const kept = shelf();
    kept.setItem("gamut.knows", "{nonsense");
    expect(new FirstTime(kept).explains("go")).toBe(true);
  });
});

describe("a password", () => {
  it("is refused in words before it is sent", () => {
    expect(passwordProblem("")).toMatch(/fill/);
    expect(passwordProblem("seven 7")).toBe("A password has at least 8 characters. This one has 7.");
    expect(passwordProblem("x".repeat(257))).toMatch(/at most 256/);
    expect(passwordProblem("eight 88")).toBeNull();
  });
});
