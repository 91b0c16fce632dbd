import { castles, EMPTY, kindOf, squareName } from "./board.ts";
import { carries, markOn, type Moved, type PowerChessEvent, type PowerChessState } from "./rules.ts";
import { words } from "./texts.ts";

/** The piece that has moved, as it acted: who was promoted by it was a pawn then. */
function mover({ seat, end }: Moved, after: PowerChessState): string {
  const awake = markOn(after, end)?.awake ?? 0;
  return (awake > 0 ? after.board[end] : after.relocations[seat as 0 | 1]?.piece) ?? EMPTY;
}

/** What a pawn has become by this move; null if it is still what it was. */
function became(event: Moved, after: PowerChessState): string | null {
  const now = event.updates?.find(({ square }) => square === event.end)?.shown[0] ?? "";
  const before = mover(event, after);
  return kindOf(before) === "p" && "qrbn".includes(kindOf(now)) && now !== "" ? now : null;
}

const nameOf = (square: number | null | undefined) => (typeof square === "number" ? squareName(square) : null);

/** One line for the list of moves. */
export function notation(event: PowerChessEvent, after: PowerChessState): string | null {
  switch (event.type) {
    case "moved":
      return [written(event, after), ...(event.box ? [words.came(event.box.rarity, squareName(event.box.square))] : [])].join(", ");
    case "offered":
      return words.taken(event.rarity);
    case "used":
      return words.used(event.power, nameOf(event.target), nameOf(event.drawn));
    default:
      // How a game ended without a move is said by the table.
      return null;
  }
}

function written(event: Moved, after: PowerChessState): string {
  const { start, end, captured, saved } = event;
  const letter = mover(event, after);
  if (castles(letter, start, end)) return words.castled(end > start);
  const met = typeof saved === "number";
  const move = words.moved(letter, squareName(start), squareName(end), met || !!captured, became(event, after));
  return met ? `${move}, ${words.saved(squareName(saved))}` : move;
}

/** What was captured, to be read aloud: "the king" where no other is left. */
const taken = (letter: string, after: PowerChessState) =>
  words.says.captured(letter, kindOf(letter) === "k" && !after.board.includes(letter));

/** The same to be read aloud. */
export function announcement(event: PowerChessEvent, after: PowerChessState): string | null {
  switch (event.type) {
    case "moved":
      return aloud(event, after).join(", ");
    case "offered":
      return words.says.offered(event.rarity, event.powers);
    case "used": {
      const captured = carries(event) && event.captured ? [taken(event.captured, after)] : [];
      const said = words.says.used(event.power, nameOf(event.target), nameOf(event.drawn), event.reanimated ?? "");
      return [said, ...captured].join(", ");
    }
    case "ended":
      return words.ended[event.reason] ?? null;
    default:
      return null;
  }
}

function aloud(event: Moved, after: PowerChessState): string[] {
  const { start, end, captured, saved, box } = event;
  const letter = mover(event, after);
  const becomes = became(event, after);
  return [
    castles(letter, start, end)
      ? words.says.castled(end > start)
      : words.says.moved(letter, squareName(start), squareName(end)),
    ...(captured ? [taken(captured, after)] : []),
    ...(typeof saved === "number" ? [words.says.saved(squareName(saved))] : []),
    ...(becomes === null ? [] : [words.says.becomes(becomes)]),
    ...(box ? [words.says.box(box.rarity, squareName(box.square))] : []),
  ];
}

/** Moments worth a mark on the review's slider. */
export function dramatic(event: PowerChessEvent): boolean {
  if (event.type === "moved") return !!event.captured || typeof event.saved === "number";
  return event.type === "used" || event.type === "ended";
}
