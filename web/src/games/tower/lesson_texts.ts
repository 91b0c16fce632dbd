import type { LessonWords } from "../lesson.ts";

/** What the first lesson of Tower says, position by position. */
export const words: LessonWords[] = [
  {
    task: "You are X. Put your mark on any tile of the tower.",
    done: "That was a turn. Now O would play, and then J.",
  },
  {
    task: "Three in a line win. Two of your marks stand on the front edge of the upper ring: fill the gap.",
    again: "Try again: the gap is on the upper ring, between your two marks at the front.",
    done: "A line along an edge, and you have won.",
  },
  {
    task: "Lines also go straight down, one tile on each ring. Two of yours are above each other: complete that line.",
    again: "Try again: it is on the middle ring, straight below your mark on the upper one.",
    done: "A line through all three rings.",
  },
  {
    task: "And lines run diagonally across an outer face. Yours begins at the front left of the upper ring and ends at the front right of the lower one.",
    again: "Try again: the missing tile is on the middle ring, at the front, halfway between your two marks.",
    done: "A diagonal. Nothing goes through the hollow middle, so these are all kinds of lines there are.",
  },
  {
    task: "O plays after you, and would complete a line on the upper ring. Put your mark in the way.",
    again: "Try again: O has two marks on the left edge of the upper ring. Take the third tile of that edge.",
    done: "Blocked. Whoever plays before somebody with two in a line has to stop it.",
  },
];
