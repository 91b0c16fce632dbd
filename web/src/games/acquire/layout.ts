import type { Layout, Square } from "../../lib/board/scene.ts";
import type { Seat } from "../../lib/wire/types.ts";
import { inRack } from "./choosing.ts";
import { isSeen, type Rack } from "./kinds.ts";
import { COLUMNS, RACK, ROWS, TILES, tileName } from "./plan.ts";
import type { AcquireState } from "./rules.ts";
import { words } from "./texts.ts";

export const PITCH = 48;
const RIM = 10;
export const PLAN = { width: COLUMNS * PITCH + 2 * RIM, height: ROWS * PITCH + 2 * RIM };
export const HAND = { width: 90, height: 68 };
const GAP = 14;
const HAND_PITCH = (PLAN.width - 2 * RIM) / RACK;

export interface Place {
  x: number;
  y: number;
}

/** The middle of a lot. */
export function lotAt(tile: number): Place {
  return { x: RIM + (Math.floor(tile / ROWS) + 0.5) * PITCH, y: RIM + ((tile % ROWS) + 0.5) * PITCH };
}

/** The middle of a slot of the rack, below the board. */
export function slotAt(slot: number): Place {
  return { x: RIM + (slot + 0.5) * HAND_PITCH, y: PLAN.height + GAP + HAND.height / 2 };
}

function box({ x, y }: Place, width: number, height: number, corner: number): string {
  const [across, down, arc] = [width - 2 * corner, height - 2 * corner, `a${corner} ${corner} 0 0 1`];
  return (
    `M${x - width / 2 + corner} ${y - height / 2}h${across}${arc} ${corner} ${corner}v${down}${arc} ${-corner} ${corner}` +
    `h${-across}${arc} ${-corner} ${-corner}v${-down}${arc} ${corner} ${-corner}z`
  );
}

const LOTS: readonly Square[] = Array.from({ length: TILES }, (_, tile) => ({
  id: String(tile),
  row: tile % ROWS,
  column: Math.floor(tile / ROWS),
  ...lotAt(tile),
  outline: box(lotAt(tile), PITCH - 3, PITCH - 3, 4),
  name: tileName(tile),
}));

/** The rack that is laid out: that of whoever looks, if its tiles are known. */
export function rackShown(state: AcquireState, viewer: Seat | null): Rack | null {
  const rack = viewer === null ? undefined : state.racks[viewer];
  return rack !== undefined && rack.every((tile) => tile === null || isSeen(tile)) ? rack : null;
}

export function layout(state: AcquireState, _side: number, viewer: Seat | null): Layout {
  const rack = rackShown(state, viewer);
  const slots = (rack ?? []).flatMap((tile, slot): Square[] => {
    if (!isSeen(tile)) return [];
    const place = slotAt(slot);
    const outline = box(place, HAND.width, HAND.height, 8);
    return [{ id: inRack(tile), row: ROWS, column: 2 * slot, ...place, outline, name: words.tileInRack(tileName(tile)) }];
  });
  return {
    width: PLAN.width,
    // Whoever plays has room for a rack, also before it is known: the board keeps its size.
    height: PLAN.height + (viewer === null ? 0 : GAP + HAND.height + 4),
    squares: [...LOTS, ...slots],
    pageRows: 3,
    label: words.board,
    covered: true,
  };
}
