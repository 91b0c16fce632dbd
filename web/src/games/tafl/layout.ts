import type { Layout } from "../../lib/board/scene.ts";
import { FILES, groundOf, spaceName, type Ground } from "./ground.ts";
import { words } from "./texts.ts";

const LONGEST = 600;
const LARGEST = 84;
/** Around the field: what files and ranks are called stands there. */
const SHARE = 0.42;
/** However small the spaces are, the names can be read, also on a phone. */
const NARROWEST_RIM = 21;

export interface TaflLayout extends Layout {
  ground: Ground;
  /** From one space to the next. */
  pitch: number;
  /** Where the field begins. */
  rim: number;
  /** Where each space is, by its number. */
  at: readonly { x: number; y: number }[];
  coordinates: readonly { x: number; y: number; text: string }[];
}

const made = new Map<string, TaflLayout>();
const MOST_KNOWN = 64;

/** Seen from the first rank, or from the last. */
export function layoutOf(rules: string, side: number): TaflLayout {
  const key = `${side} ${rules}`;
  let found = made.get(key);
  if (found === undefined) {
    found = make(groundOf(rules), side);
    if (made.size >= MOST_KNOWN) made.clear();
    made.set(key, found);
  }
  return found;
}

function make(ground: Ground, side: number): TaflLayout {
  const { size } = ground;
  const pitch = Math.min(LARGEST, LONGEST / (size + 2 * SHARE), (LONGEST - 2 * NARROWEST_RIM) / size);
  const rim = Math.max(pitch * SHARE, NARROWEST_RIM);
  const turned = side === 1;
  const column = (file: number) => (turned ? size - 1 - file : file);
  const row = (rank: number) => (turned ? rank : size - 1 - rank);
  const middle = (index: number) => rim + (index + 0.5) * pitch;
  const spaces = Array.from({ length: size * size }, (_, space) => {
    const [file, rank] = [space % size, Math.floor(space / size)];
    return { space, row: row(rank), column: column(file), x: middle(column(file)), y: middle(row(rank)) };
  });
  const [left, bottom] = [rim * 0.5, rim + size * pitch + rim * 0.5];
  const half = pitch / 2;
  return {
    ground,
    pitch,
    rim,
    width: size * pitch + 2 * rim,
    height: size * pitch + 2 * rim,
    pageRows: Math.max(1, Math.floor(size / 3)),
    label: words.board(ground.name, size),
    at: spaces.map(({ x, y }) => ({ x, y })),
    coordinates: Array.from({ length: size }, (_, index) => [
      { x: middle(column(index)), y: bottom, text: FILES[index]! },
      { x: left, y: middle(row(index)), text: String(index + 1) },
    ]).flat(),
    squares: spaces.map(({ space, row, column, x, y }) => ({
      id: String(space),
      row,
      column,
      x,
      y,
      outline: `M${x - half} ${y - half}h${pitch}v${pitch}h${-pitch}Z`,
      name: spaceName(space, size),
    })),
  };
}
