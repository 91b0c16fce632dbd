import type { LessonWords } from "../lesson.ts";

/** What the first lesson of Power Chess says, position by position. */
export const words: LessonWords[] = [
  {
    task: "Pieces move as in chess, but there is no check: whoever takes the king has won. Take him.",
    again: "Try again: the queen reaches the king along her diagonal.",
    done: "The king is taken, and you have won. Nobody warns you of it, so watch your own.",
  },
  {
    task: "Now and then a box comes onto the board. Land on this one with your knight.",
    again: "Try again: move the knight to the square with the box.",
    done: "The box is open: there are two powers in it.",
  },
  {
    task: "You must use one of the two powers at once. Choose one, and then where it works if it asks for a square.",
    done: "What lasts is seen on the piece, and counts down with every move.",
  },
  {
    task: "The black knight has a ring: a shield. It cannot be captured. Take the other black piece with your rook.",
    again: "Try again: the bishop stands on the same rank as your rook.",
    done: "Each stroke of a ring is a move that is left. When the last is gone, the knight can be captured again.",
  },
  {
    task: "Your knight has just taken a box. Second Effort lets it move once more, and it may capture: take the king.",
    again: "Try again: choose Second Effort, then the square of the king.",
    done: "A move and a power in one turn, and you have won.",
  },
];
