import type { LessonWords } from "../lesson.ts";

/** What the first lesson of Tafl says, position by position. */
export const words: LessonWords[] = [
  {
    task: "You are the attackers, the dark stones. Move any of them, as far as you like along a rank or file.",
    done: "That is how everybody moves, the king too. Nobody jumps over anybody.",
  },
  {
    task: "Move so that a defender is between two of your stones, and it is captured.",
    again: "Try again: one of your stones is beside a defender already. Go to the other side of it.",
    done: "Captured. A piece that goes between two enemies in its own move is safe.",
  },
  {
    task: "An empty corner counts as an enemy to everybody. Capture the defender that stands beside one.",
    again: "Try again: the defender is at the top left. Take the space on its other side.",
    done: "One stone and the corner were enough.",
  },
  {
    task: "Now you are the defenders. Bring the king to a corner, and you have won.",
    again: "Try again: the king moves as far as the way is free. On one side it is free all the way to the corner.",
    done: "The king has escaped. In some variants any space at the edge will do.",
  },
  {
    task: "You are the attackers again. Here the king is captured between two, like anybody: do it.",
    again: "Try again: one of your stones is above the king. Another one must come to the space below him.",
    done: "The king is captured, and the attackers have won. In larger variants that takes four.",
  },
];
