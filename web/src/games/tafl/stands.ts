import type { Share } from "../stands.ts";
import { EMPTY, groundOf, type Ground } from "./ground.ts";
import { sideOf, type TaflState } from "./rules.ts";
import { words } from "./texts.ts";

const KING = "K";
/** A king who is one move from his escape is worth as much as all other defenders together. */
const NEAR = [2, 1, 0.5, 0.25];

function counted(board: string): [attackers: number, kings: number, defenders: number] {
  const letters = [...board].filter((letter) => letter !== EMPTY);
  const attackers = letters.filter((letter) => sideOf(letter) === 0).length;
  const kings = letters.filter((letter) => letter === KING).length;
  return [attackers, kings, letters.length - attackers - kings];
}

function isEscape({ escapesAtEdge, kinds, size }: Ground, space: number): boolean {
  if (!escapesAtEdge) return kinds[space] === "corner";
  const [file, rank] = [space % size, Math.floor(space / size)];
  return file === 0 || rank === 0 || file === size - 1 || rank === size - 1;
}

/** The spaces that the king reaches from one in a single move, if nobody is in his way. */
function reached({ size, kinds, areas, speeds }: Ground, board: string, from: number): number[] {
  const found: number[] = [];
  const far = speeds[KING] ?? size;
  for (const [across, down] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
    for (let step = 1; step <= far; step++) {
      const [file, rank] = [(from % size) + across * step, Math.floor(from / size) + down * step];
      if (file < 0 || rank < 0 || file >= size || rank >= size) break;
      const space = rank * size + file;
      if (board[space] !== EMPTY) break;
      const kind = kinds[space] ?? null;
      if (kind === null || areas[kind].stopping.includes(KING)) found.push(space);
      if (kind !== null && !areas[kind].passing.includes(KING)) break;
    }
  }
  return found;
}

/** How many moves the king is away from his escape if nobody else moves; null if every way is closed. */
export function movesToEscape({ rules, board }: TaflState): number | null {
  const ground = groundOf(rules);
  let here = [...board].flatMap((letter, space) => (letter === KING ? [space] : []));
  const seen = new Set(here);
  for (let moves = 0; here.length > 0; moves++) {
    if (here.some((space) => isEscape(ground, space))) return moves;
    const next = new Set(here.flatMap((space) => reached(ground, board, space)).filter((space) => !seen.has(space)));
    for (const space of next) seen.add(space);
    here = [...next];
  }
  return null;
}

/** Who has won by what is on the board, so that nothing is left to the other side. */
function wonOnBoard({ ending }: TaflState): number | null {
  if (!ending || ending.reason === "resigned" || ending.reason === "time" || ending.reason === "recorded") return null;
  return ending.winner;
}

/** The stones that each side has left of those it began with; and with the defenders, how near the king's escape is. */
export function shares(state: TaflState): Share[] {
  const [attackers, kings, defenders] = counted(state.board);
  const [attackersFirst, , defendersFirst] = counted(groundOf(state.rules).start);
  const moves = movesToEscape(state);
  const near = moves === null ? 0 : (NEAR[moves] ?? 0);
  const left = words.defendersLeft(kings, defenders);
  const won = wonOnBoard(state);
  return [
    { seats: [0], share: won === 1 ? 0 : attackers / Math.max(1, attackersFirst), words: words.attackersLeft(attackers) },
    {
      seats: [1],
      // Without a king there is nothing left to win with.
      share: kings === 0 || won === 0 ? 0 : defenders / Math.max(1, defendersFirst) + near,
      words: moves === null || moves === 0 ? left : `${left}, ${words.fromEscape(moves)}`,
    },
  ];
}
