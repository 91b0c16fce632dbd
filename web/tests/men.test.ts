import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../src/styles/tokens.css", import.meta.url), "utf8");
const board = readFileSync(new URL("../src/lib/board/Board.svelte", import.meta.url), "utf8");

type Colour = readonly [lightness: number, a: number, b: number];

/** The tokens of one board ground, by name: as they are in the light, and in the dark. */
function tokens(ground: string): Map<string, readonly [light: Colour, dark: Colour]> {
  const rules = [":root {", ...(ground === "paper" ? [] : [`:root[data-board="${ground}"] {`])].map(
    (opening) => css.slice(css.indexOf(`\n${opening}`)).split("\n}")[0]!,
  );
  const pair = /--([a-z-]+): light-dark\(oklch\(([\d. ]+)[^)]*\), oklch\(([\d. ]+)[^)]*\)\);/g;
  return new Map(rules.flatMap((rule) => [...rule.matchAll(pair)].map(([, name, light, dark]) => [name!, [read(light!), read(dark!)]] as const)));
}

function read(oklch: string): Colour {
  const [lightness = 0, chroma = 0, hue = 0] = oklch.split(" ").map(Number);
  const turned = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(turned), chroma * Math.sin(turned)];
}

function luminance([lightness, a, b]: Colour): number {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
  return 0.2126 * rgb[0]! + 0.7152 * rgb[1]! + 0.0722 * rgb[2]!;
}

function contrast(one: Colour, other: Colour): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (light! + 0.05) / (dark! + 0.05);
}

const mixed = (one: Colour, part: number, other: Colour): Colour =>
  [0, 1, 2].map((at) => one[at]! * part + other[at]! * (1 - part)) as unknown as Colour;
const apart = (one: Colour, other: Colour): number => Math.hypot(...one.map((part, at) => part - other[at]!));

const GROUNDS = ["paper", "wood", "slate"];
const SQUARES = ["board-field", "board-check-light", "board-check-dark"];
const strength = Number(/\.last\.nobodys path \{\s*fill: color-mix\(in oklab, var\(--last\) (\d+)%/.exec(board)?.[1]) / 100;

describe.each(GROUNDS)("light and dark men on %s", (ground) => {
  const known = tokens(ground);
  const of = (name: string, scheme: 0 | 1): Colour => known.get(name)![scheme];
  const tinted = (square: string, scheme: 0 | 1) => mixed(of("last", scheme), strength, of(square, scheme));

  it.each(SQUARES)("stand out in the dark on %s, by their own colour and not by a fine line, also on the last move", (square) => {
    for (const man of ["man-light", "man-dark"]) {
      expect(contrast(of(man, 1), of(square, 1))).toBeGreaterThan(3);
      expect(contrast(of(man, 1), tinted(square, 1))).toBeGreaterThan(3);
    }
  });

  it.each(SQUARES)("that are dark stand out in the light on %s", (square) => {
    expect(contrast(of("man-dark", 0), of(square, 0))).toBeGreaterThan(3);
    expect(contrast(of("man-dark", 0), tinted(square, 0))).toBeGreaterThan(3);
  });

  it.each(SQUARES)("leave a tint on %s that is seen at a glance", (square) => {
    // Two colours are told from each other at 0.02; this is seen without looking for it.
    for (const scheme of [0, 1] as const) expect(apart(tinted(square, scheme), of(square, scheme))).toBeGreaterThan(0.08);
  });

  it.each(SQUARES)("may go where a mark is seen on %s, in the light and in the dark", (square) => {
    const [faint, strong] = /--target-among-men: .*? (\d+)%\).*? (\d+)%\)\);/.exec(css)!.slice(1).map((part) => Number(part) / 100);
    for (const [scheme, part] of [[0, faint!], [1, strong!]] as const) {
      expect(contrast(mixed(of("target-among-men", scheme), part, of(square, scheme)), of(square, scheme))).toBeGreaterThan(1.7);
    }
  });

  it("stand on squares that are told from each other", () => {
    for (const scheme of [0, 1] as const) {
      expect(contrast(of("board-check-light", scheme), of("board-check-dark", scheme))).toBeGreaterThan(1.5);
    }
  });
});
