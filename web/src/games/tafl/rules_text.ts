import { boardOf, EMPTY } from "./ground.ts";

/** Every key that a rules string can have. */
const KEYS: ReadonlySet<string> = new Set([
  ..."dim name esc surf atkf tfr ka ks kj nj cj mj gj spd sw swf efe linc ber start starti cenhe".split(" "),
  ...["cor", "cen", "afor", "dfor"].flatMap((area) => ["", "p", "s", "h", "re"].map((end) => area + end)),
]);

const SMALLEST = 5;
const LARGEST = 19;

/** What a rules string says, key by key, in its order; what is no key and value is left out. */
function entriesOf(text: string): [key: string, value: string][] {
  return text.split(/\s+/).flatMap((word): [string, string][] => {
    const colon = word.indexOf(":");
    return colon < 1 ? [] : [[word.slice(0, colon), word.slice(colon + 1)]];
  });
}

/** Keys that mean nothing: somebody has mistyped one, perhaps. */
export function unknownKeys(text: string): string[] {
  return entriesOf(text).flatMap(([key]) => (KEYS.has(key) ? [] : [key]));
}

export function valueOf(text: string, key: string): string | null {
  return entriesOf(text).findLast(([found]) => found === key)?.[1] ?? null;
}

/** The same rules with another value for this key, or without it; positions stay last, where they can be found. */
export function withValue(text: string, key: string, value: string | null): string {
  const entries = entriesOf(text);
  const at = entries.findIndex(([found]) => found === key);
  const others = entries.filter(([found]) => found !== key);
  const end = others.findIndex(([found]) => found.startsWith("start"));
  const place = at >= 0 ? at : end >= 0 ? end : others.length;
  const all = value === null ? others : others.toSpliced(place, 0, [key, value]);
  return all.map(([found, its]) => `${found}:${its}`).join(" ");
}

/** A board of one letter for each space as a rules string writes it: rank 1 first. */
export function positionOf(board: string, size: number): string {
  const ranks = Array.from({ length: size }, (_, rank) => board.slice(rank * size, (rank + 1) * size));
  return `/${ranks.map((rank) => rank.replace(/\.+/g, (empty) => String(empty.length))).join("/")}/`;
}

/** The rules with another letter on one space of their start. */
export function withPiece(text: string, size: number, space: number, letter: string): string {
  const board = boardOf(valueOf(text, "start") ?? "");
  if (board.length !== size * size) return text;
  return withValue(text, "start", positionOf(board.slice(0, space) + letter + board.slice(space + 1), size));
}

/** The rules on a board of another size: what stands there stays in the middle, as far as there is room. */
export function withSize(text: string, size: number): string {
  const old = Number(valueOf(text, "dim"));
  const board = boardOf(valueOf(text, "start") ?? "");
  if (board.length !== old * old) return withValue(text, "dim", String(size));
  const shift = (size - old) / 2;
  const letters = Array.from({ length: size * size }, (_, space) => {
    const [file, rank] = [(space % size) - shift, Math.floor(space / size) - shift];
    const inside = file >= 0 && rank >= 0 && file < old && rank < old;
    return inside ? board[rank * old + file]! : EMPTY;
  });
  return withValue(withValue(text, "dim", String(size)), "start", positionOf(letters.join(""), size));
}

/** Whether the start is a whole board, which can be drawn. */
export function isDrawable(text: string): boolean {
  const size = Number(valueOf(text, "dim"));
  const board = boardOf(valueOf(text, "start") ?? "");
  const whole = board.length === size * size && /^[tcnkmgTCNKMG.]*$/.test(board);
  // Ranks that are written the other way around are turned by the server.
  return whole && size >= SMALLEST && size <= LARGEST && size % 2 === 1 && valueOf(text, "starti") === null;
}

/** A space, and those that are in its place when the board is turned or seen in a mirror. */
export function around(space: number, size: number): number[] {
  const [file, rank, last] = [space % size, Math.floor(space / size), size - 1];
  const places = [file, last - file].flatMap((x) => [rank, last - rank].flatMap((y) => [y * size + x, x * size + y]));
  return [...new Set(places)];
}
