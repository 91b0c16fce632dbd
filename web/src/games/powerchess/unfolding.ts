import type { Highlight } from "../../lib/board/scene.ts";
import { EMPTY, pawnThatPassed } from "./board.ts";
import { carries, evolve, type Moved, type PowerChessEvent, type PowerChessState, type Used } from "./rules.ts";

/** How many steps a piece needs to arrive, a box to open, and a power to be seen at work. */
const ARRIVING = 2;
const OPENING = 4;
const STRIKING = 5;

/** What is seen on the way: who is captured goes when the other has arrived, a box opens, a power strikes. */
export function steps(before: PowerChessState, events: readonly PowerChessEvent[], most: number): PowerChessState[] {
  const [event] = events;
  const frames = event?.type === "moved" ? ofMove(before, event) : event?.type === "used" ? ofPower(before, event) : [];
  return frames.slice(0, most);
}

function ofMove(before: PowerChessState, event: Moved): PowerChessState[] {
  const after = evolve(before, event);
  if (event.took) return opened(after, event.end, event.took);
  const prey = preyOf(before, event);
  return prey === null || prey === event.end ? [] : times(ARRIVING, { ...after, struck: [prey] });
}

/** Where the captured piece stood, if one was captured. */
function preyOf({ board }: PowerChessState, { end, captured, saved }: Moved): number | null {
  if (!captured && typeof saved !== "number") return null;
  return board[end] === EMPTY ? pawnThatPassed(end) : end;
}

function ofPower(before: PowerChessState, event: Used): PowerChessState[] {
  const after = evolve(before, event);
  if (carries(event)) return event.took ? opened(after, event.target!, event.took) : [];
  const gone = Array.from(before.board, (letter, square) => ({ letter, square })).filter(
    ({ letter, square }) => letter !== EMPTY && after.board[square] === EMPTY && !(after.known ?? []).includes(before.known?.[square] ?? square),
  );
  const leaving = gone.map(({ square }) => square);
  const struck = [event.square, ...(typeof event.target === "number" ? [event.target] : []), ...leaving];
  const working = { ...before, choice: null, struck };
  return [...times(STRIKING - 2, working), ...times(2, { ...working, leaving })];
}

function opened(after: PowerChessState, square: number, rarity: NonNullable<Moved["took"]>): PowerChessState[] {
  return times(OPENING, { ...after, opening: { square, rarity } });
}

/** The same for so many steps, each a state of its own. */
function times(count: number, state: PowerChessState): PowerChessState[] {
  return Array.from({ length: count }, () => ({ ...state }));
}

/** What happened last, whose piece is to choose a power, and where the game was decided. */
export function highlights(state: PowerChessState, last: readonly PowerChessEvent[]): Highlight[] {
  const found: Highlight[] = [];
  const event = last.findLast((one): one is Moved | Used => one.type === "moved" || one.type === "used");
  if (event !== undefined) found.push({ kind: "last", squares: squaresOf(event).map(String), seat: null });
  if (state.struck !== undefined) found.push({ kind: "step", squares: unique(state.struck).map(String), seat: null });
  if (state.choice !== null) found.push({ kind: "goes-on", squares: [String(state.choice.square)], seat: null });
  const { ending } = state;
  if (ending?.reason === "king" && ending.winner !== null && event !== undefined) {
    found.push({ kind: "win", squares: [String(event.type === "moved" ? event.end : (event.target ?? event.square))], seat: ending.winner });
  }
  return found;
}

function squaresOf(event: Moved | Used): number[] {
  const all = event.type === "moved" ? [event.start, event.end, event.saved] : [event.square, event.target, event.drawn];
  return unique(all.filter((square) => typeof square === "number"));
}

const unique = (squares: readonly number[]) => [...new Set(squares)];
