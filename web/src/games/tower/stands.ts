import type { Share } from "../stands.ts";
import { EMPTY, LINES, type TowerState } from "./rules.ts";
import { words } from "./texts.ts";

/**
 * The lines that each could still fill: marks alone say nothing, everybody has as many. Who has two of three is not
 * told, because to see that is the game.
 */
export function shares({ marks, winner }: TowerState): Share[] {
  return [0, 1, 2].map((seat) => {
    const open = LINES.filter((line) => line.every((tile) => marks[tile] === seat || marks[tile] === EMPTY)).length;
    return { seats: [seat], share: winner === null || winner === seat ? open : 0, words: words.openLines(open) };
  });
}
