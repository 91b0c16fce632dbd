import { describe, expect, it } from "vitest";

import { words as acquire } from "../src/games/acquire/texts.de.ts";
import { words as powerchess } from "../src/games/powerchess/texts.de.ts";
import { words as tafl } from "../src/games/tafl/texts.de.ts";
import { list, number, plural } from "../src/texts/grammar.de.ts";
import { guestNames } from "../src/texts/guest_names.de.ts";
import { texts } from "../src/texts/page.de.ts";

describe("German", () => {
  it("has its own numbers, lists and plural forms", () => {
    expect(number(1234567)).toBe("1.234.567");
    expect(list(["Ann", "Ben", "Cas"])).toBe("Ann, Ben und Cas");
    expect([0, 1, 2].map((count) => plural(count, "Zug", "Züge"))).toEqual(["0 Züge", "1 Zug", "2 Züge"]);
    expect(texts.table.waitingFor(1)).toBe("Es fehlt 1 Spieler");
    expect(texts.table.wins(["Ann", "Ben"])).toBe("Ann und Ben gewinnen");
  });

  it("puts names and numbers into whole sentences", () => {
    expect(texts.files.drop([".otg", ".topl"])).toBe("Lass eine .otg- oder .topl-Datei hier los, um sie zu öffnen");
    expect(texts.table.offerDrawSure(["Ann"])).toBe("Ann ein Unentschieden anbieten?");
    expect(powerchess.says.used("shield", null, null, "")).toBe("setzt „Schild“ ein");
    expect(powerchess.says.used("swap", "e4", null, "")).toBe("setzt „Platztausch“ auf e4 ein");
    expect(powerchess.explained("guard", 1, null)).toBe("Unverwundbar: Die Figur kann noch 1 Zug lang weder geschlagen noch zerstört werden.");
  });

  it("finds names for guests that are short enough for a seat", () => {
    const longest = (words: readonly string[]) => Math.max(...words.map((word) => word.length));
    expect(longest(guestNames.first) + 1 + longest(guestNames.second)).toBeLessThanOrEqual(25);
  });

  it("writes money behind the number", () => {
    expect(acquire.money(11)).toBe("1.100\u00a0$");
  });

  it("knows the gender of pieces, and their letters", () => {
    expect(powerchess.piece("Q")).toBe("weiße Dame");
    expect(powerchess.piece("n")).toBe("schwarzer Springer");
    expect(powerchess.onWhat("awake", "d4", "Q", "p")).toBe("weißer Bauer als Dame auf d4");
    expect(powerchess.says.captured("p", false)).toBe("schlägt einen Bauern");
    expect(powerchess.says.captured("k", true)).toBe("schlägt den König");
    expect(powerchess.moved("N", "g1", "f3", false, null)).toBe("Sg1-f3");
  });

  it("says who may do something as it says it in German", () => {
    const everybody = "tTK";
    expect(tafl.space.stops(tafl.who("K", everybody))).toBe("Nur der König darf hier halten.");
    expect(tafl.space.passes(tafl.who(everybody, everybody))).toBe("Alle dürfen hindurch.");
    expect(tafl.space.hostile(tafl.who("K", everybody))).toBe("Wie ein Feind hilft dieses Feld, den König zu schlagen.");
    expect(tafl.space.hostile(tafl.who(everybody, everybody))).toBe("Wie ein Feind hilft dieses Feld, jeden zu schlagen.");
    expect(tafl.space.returns(tafl.who("", everybody))).toBe("Niemand darf wieder herein.");
  });
});
