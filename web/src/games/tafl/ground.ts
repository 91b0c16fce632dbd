/** What a rules string says of the board: what is drawn, and what somebody who asks about a space is told. */
export interface Ground {
  rules: string;
  name: string;
  size: number;
  /** One letter for each space at the start, `.` for an empty one. */
  start: string;
  /** What kind of space each is; null for plain ones. */
  kinds: readonly (AreaKind | null)[];
  areas: Readonly<Record<AreaKind, Area>>;
  /** To whom the centre is hostile while nobody stands there; `areas.centre.hostile` is while somebody does. */
  emptyCentreHostile: string;
  escapesAtEdge: boolean;
  attackersFirst: boolean;
  kingStrength: "s" | "c" | "m" | "w";
  kingArms: "y" | "h" | "a" | "n";
  /** How each kind jumps, by its small letter. */
  jumps: Readonly<Record<string, JumpMode>>;
  /** How far each goes at a time, by its letter; those who go as far as they like are not among them. */
  speeds: Readonly<Record<string, number>>;
  /** What a position that comes for the third time brings to whoever made it: a draw, the loss, the win, or nothing. */
  repetition: "d" | "w" | "l" | "i";
  /** Whether whoever has captured moves again: never, to capture, or anywhere. */
  berserk: "n" | "c" | "m";
  shieldwall: "n" | "w" | "s";
  flanking: boolean;
  edgeForts: boolean;
  surround: boolean;
  linnaean: boolean;
}

export type JumpMode = "n" | "r" | "j" | "c";

export type AreaKind = "corner" | "centre" | "attackerFort" | "defenderFort";

/** Its spaces; letters of those who may pass, stop and come in again, and of those to whom it is hostile. */
export interface Area {
  spaces: readonly number[];
  /** Where they are in most games. */
  usual: boolean;
  passing: string;
  stopping: string;
  hostile: string;
  entering: string;
}

export const EMPTY = ".";
export const FILES = "abcdefghijklmnopqrs";

const ALL = "tcnkmTCNKM";
/** In the order in which they count where a space is in several. */
const AREAS: readonly { key: string; kind: AreaKind; usual: Omit<Area, "spaces" | "usual"> }[] = [
  { key: "cor", kind: "corner", usual: { passing: "K", stopping: "K", hostile: ALL, entering: ALL } },
  { key: "cen", kind: "centre", usual: { passing: ALL, stopping: "K", hostile: "tcnkm", entering: ALL } },
  { key: "afor", kind: "attackerFort", usual: { passing: ALL, stopping: ALL, hostile: "TCNKM", entering: ALL } },
  { key: "dfor", kind: "defenderFort", usual: { passing: ALL, stopping: "TCNKM", hostile: "tcnkm", entering: ALL } },
];

const USUAL_JUMPS: Record<string, JumpMode> = { k: "n", n: "c", c: "j", m: "n", g: "n" };
/** Whose speeds they are, by how many numbers there are. */
const SPEEDS_OF: Record<number, string> = { 8: "tcnkTCNK", 10: "tcnkmTCNKM", 12: "tcnkmgTCNKMG" };

const known = new Map<string, Ground>();
const MOST_KNOWN = 64;

/** The same object for the same rules. They come from the server, which has checked them. */
export function groundOf(rules: string): Ground {
  let found = known.get(rules);
  if (found === undefined) {
    found = read(rules);
    // Whoever tries many rules does not need all of them again.
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(rules, found);
  }
  return found;
}

function read(rules: string): Ground {
  const entries = new Map(rules.split(/\s+/).map((word) => [word.split(":", 1)[0]!, word.slice(word.indexOf(":") + 1)]));
  const size = Number(entries.get("dim"));
  const last = size * size - 1;
  const usualSpaces: Partial<Record<AreaKind, number[]>> = {
    corner: [0, size - 1, last - size + 1, last],
    centre: [last / 2],
  };
  const kinds = Array.from({ length: size * size }, (): AreaKind | null => null);
  const areas = {} as Record<AreaKind, Area>;
  for (const { key, kind, usual } of AREAS) {
    const listed = entries.get(key);
    const there = usualSpaces[kind] ?? [];
    const spaces = listed === undefined ? there : spacesOf(listed, size);
    for (const space of spaces) kinds[space] = kind;
    areas[kind] = {
      spaces,
      usual: spaces.join() === there.join(),
      passing: entries.get(`${key}p`) ?? usual.passing,
      stopping: entries.get(`${key}s`) ?? usual.stopping,
      hostile: entries.get(`${key}h`) ?? usual.hostile,
      entering: entries.get(`${key}re`) ?? usual.entering,
    };
  }
  return {
    rules,
    name: (entries.get("name") ?? "").replaceAll("_", " "),
    size,
    start: boardOf(entries.get("start") ?? ""),
    kinds,
    areas,
    emptyCentreHostile: entries.get("cenhe") ?? ALL,
    escapesAtEdge: entries.get("esc") === "e",
    attackersFirst: entries.get("atkf") !== "n",
    kingStrength: (entries.get("ks") as Ground["kingStrength"] | undefined) ?? "s",
    kingArms: (entries.get("ka") as Ground["kingArms"] | undefined) ?? "y",
    jumps: Object.fromEntries(
      Object.entries(USUAL_JUMPS).map(([kind, usual]) => [kind, (entries.get(`${kind}j`) as JumpMode | undefined) ?? usual]),
    ),
    speeds: speedsOf(entries.get("spd") ?? ""),
    repetition: (entries.get("tfr") as Ground["repetition"] | undefined) ?? "d",
    berserk: (entries.get("ber") as Ground["berserk"] | undefined) ?? "n",
    shieldwall: (entries.get("sw") as Ground["shieldwall"] | undefined) ?? "n",
    flanking: entries.get("swf") !== "n",
    edgeForts: entries.get("efe") === "y",
    surround: entries.get("surf") !== "n",
    linnaean: entries.get("linc") === "y",
  };
}

function speedsOf(list: string): Record<string, number> {
  const numbers = list.split(",").flatMap((number) => (number === "" ? [] : [Number(number)]));
  const everybody = SPEEDS_OF[12]!;
  const of = (letter: string) => {
    if (numbers.length <= 2) return numbers[letter >= "a" ? 0 : numbers.length - 1] ?? 0;
    return numbers[SPEEDS_OF[numbers.length]?.indexOf(letter) ?? -1] ?? 0;
  };
  return Object.fromEntries([...everybody].flatMap((letter) => (of(letter) > 0 ? [[letter, of(letter)]] : [])));
}

/** A position such as `/3t3/.../`, rank 1 first, as one letter for each space. */
export function boardOf(position: string): string {
  return position.replace(/\d+/g, (count) => EMPTY.repeat(Number(count))).replaceAll("/", "");
}

function spacesOf(list: string, size: number): number[] {
  return list.split(",").flatMap((name) => (name === "" ? [] : [(Number(name.slice(1)) - 1) * size + FILES.indexOf(name[0]!)]));
}

export function spaceName(space: number, size: number): string {
  return `${FILES[space % size]!}${Math.floor(space / size) + 1}`;
}

/** Whether a space is hostile to a piece of this letter by itself, whoever stands beside it. */
export function isHostile(ground: Ground, board: string, space: number, letter: string): boolean {
  const kind = ground.kinds[space];
  if (kind === null || kind === undefined) return false;
  const empty = kind === "centre" && board[space] === EMPTY;
  return (empty ? ground.emptyCentreHostile : ground.areas[kind].hostile).includes(letter);
}
