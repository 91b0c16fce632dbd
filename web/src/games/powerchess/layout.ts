import type { Layout, Square } from "../../lib/board/scene.ts";
import { FILES, fileOf, rankOf, squareName, SQUARES } from "./board.ts";
import { words } from "./texts.ts";

export const PITCH = 70;
/** Around the board: what files and ranks are called stands there. */
export const RIM = 24;
const LENGTH = 8 * PITCH + 2 * RIM;
const HALF = PITCH / 2;

export interface ChessLayout extends Layout {
  coordinates: readonly { x: number; y: number; text: string }[];
}

const middle = (index: number) => RIM + (index + 0.5) * PITCH;

/** Seen by White, or by Black. */
export const layouts: readonly ChessLayout[] = [make(false), make(true)];

function make(turned: boolean): ChessLayout {
  const column = (file: number) => (turned ? 7 - file : file);
  const row = (rank: number) => (turned ? rank : 7 - rank);
  const squares = Array.from({ length: SQUARES }, (_, square): Square => {
    const [x, y] = [middle(column(fileOf(square))), middle(row(rankOf(square)))];
    return {
      id: String(square),
      row: row(rankOf(square)),
      column: column(fileOf(square)),
      x,
      y,
      outline: `M${x - HALF} ${y - HALF}h${PITCH}v${PITCH}h${-PITCH}Z`,
      name: squareName(square),
    };
  });
  return {
    width: LENGTH,
    height: LENGTH,
    squares,
    pageRows: 3,
    label: words.board,
    coordinates: Array.from(FILES, (file, index) => [
      { x: middle(column(index)), y: LENGTH - RIM / 2, text: file },
      { x: RIM / 2, y: middle(row(index)), text: String(index + 1) },
    ]).flat(),
  };
}
