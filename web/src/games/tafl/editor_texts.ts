/** A rule that has a few answers: its key in the rules string, what is played if it is left out, and all there is. */
export interface Question {
  key: string;
  title: string;
  usual: string;
  answers: Readonly<Record<string, string>>;
  /** Asked only if this key has another value than this one. */
  unless?: { key: string; value: string; usual: string };
  /** Asked only if this kind is on the board. */
  kind?: string;
}

const JUMPS = {
  n: "does not jump",
  j: "over an enemy",
  r: "over an enemy, at special spaces",
  c: "over an enemy, and captures it",
};
const YES_NO = { y: "yes", n: "no" };

export const QUESTIONS: readonly Question[] = [
  { key: "esc", title: "The king escapes to", usual: "c", answers: { c: "a corner", e: "the edge" } },
  {
    key: "ks",
    title: "The king is captured",
    usual: "s",
    answers: { s: "on all four sides", m: "on all sides, or at the edge", c: "by the throne on all four", w: "between two" },
  },
  {
    key: "ka",
    title: "The king in captures",
    usual: "y",
    answers: { y: "takes part", h: "only by moving", a: "only by standing there", n: "takes no part" },
  },
  { key: "atkf", title: "First to move", usual: "y", answers: { y: "attackers", n: "defenders" } },
  { key: "ber", title: "After a capture", usual: "n", answers: { n: "the turn is over", c: "again, to capture", m: "again, if it can" } },
  {
    key: "tfr",
    title: "Third repetition",
    usual: "d",
    answers: { d: "is a draw", w: "loses", l: "wins", i: "does not matter" },
  },
  { key: "sw", title: "Shieldwalls", usual: "n", answers: { n: "no", w: "yes", s: "yes, also at a corner" } },
  {
    key: "swf",
    title: "Who completes the wall",
    usual: "y",
    answers: { y: "a piece at its end", n: "any piece" },
    unless: { key: "sw", value: "n", usual: "n" },
  },
  { key: "efe", title: "Forts at the edge win", usual: "n", answers: YES_NO },
  { key: "surf", title: "Encircled defenders lose", usual: "y", answers: YES_NO },
  { key: "linc", title: "Linnaean capture", usual: "n", answers: YES_NO },
  { key: "kj", title: "The king jumps", usual: "n", answers: JUMPS, kind: "k" },
  { key: "cj", title: "A commander jumps", usual: "j", answers: JUMPS, kind: "c" },
  { key: "nj", title: "A knight jumps", usual: "c", answers: JUMPS, kind: "n" },
  { key: "mj", title: "A mercenary jumps", usual: "n", answers: JUMPS, kind: "m" },
  { key: "gj", title: "A guard jumps", usual: "n", answers: JUMPS, kind: "g" },
];

export const editorWords = {
  name: "Name",
  size: "Board",
  bySize: (size: number) => `${size} by ${size}`,
  start: "The start",
  put: "Put on the board",
  nobody: "nobody",
  around: "The same on all four sides",
};
