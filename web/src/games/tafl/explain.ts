import { EMPTY, groundOf, type Ground } from "./ground.ts";
import type { TaflState } from "./rules.ts";
import { words } from "./texts.ts";

const LETTERS = "tcnkmgTCNKMG";

/** What somebody who points at a space should know of it, and of who stands there; null where nothing is special. */
export function explain(state: TaflState, space: number): string | null {
  const ground = groundOf(state.rules);
  const letter = state.board[space] ?? EMPTY;
  const said = [...aboutPiece(ground, letter), ...aboutSpace(ground, space)];
  return said.length === 0 ? null : said.join(" ");
}

function aboutPiece(ground: Ground, letter: string): string[] {
  if (letter === EMPTY) return [];
  const kind = letter.toLowerCase();
  const speed = ground.speeds[letter];
  const does = [
    speed === undefined ? null : words.slow(speed),
    kind === "k" ? words.arms[ground.kingArms] : null,
    words.jumps[ground.jumps[kind] ?? "n"],
  ].flatMap((what) => (what === null ? [] : [words.does(letter, what)]));
  if (kind === "k") return [words.kinds.k[ground.kingStrength], ...does];
  if (kind === "t") return does.length === 0 ? [] : [words.slowPiece(letter), ...does];
  return [words.kinds[kind as "c" | "n" | "m" | "g"], ...does];
}

function aboutSpace(ground: Ground, space: number): string[] {
  const kind = ground.kinds[space];
  if (kind === null || kind === undefined) return [];
  const everybody = [...LETTERS].filter((letter) => ground.start.includes(letter)).join("");
  const there = (letters: string) => [...everybody].filter((letter) => letters.includes(letter)).join("");
  const { stopping, passing, entering, hostile } = ground.areas[kind];
  const said: string[] = [words.space.title[kind], words.space.stops(words.who(stopping, everybody))];
  if (there(passing) !== there(stopping)) said.push(words.space.passes(words.who(passing, everybody)));
  if (there(entering) !== everybody) said.push(words.space.returns(words.who(entering, everybody)));
  if (kind === "centre") {
    const empty = ground.emptyCentreHostile;
    if (there(empty) !== "") said.push(words.space.hostileEmpty(words.who(empty, everybody)));
    if (there(hostile) !== "") said.push(words.space.hostileTaken(words.who(hostile, everybody)));
  } else if (there(hostile) !== "") {
    said.push(words.space.hostile(words.who(hostile, everybody)));
  }
  if (kind === "corner" && !ground.escapesAtEdge) said.push(words.space.escape);
  return said;
}
