import type { LessonWords } from "../lesson.ts";

/** What the first lesson of Topple says, position by position. */
export const words: LessonWords[] = [
  {
    task: "You play blue. Put a piece on a tile that is nobody's, or on one of your own.",
    done: "The tile is yours now, and has one piece more. You never play on tiles of others.",
  },
  {
    task: "A tile is full when it has as many pieces as neighbours: a corner with two. Yours is full: put one more piece on it.",
    again: "Try again: play on your full tile, in the corner.",
    done: "It toppled: one piece went to each neighbour, and made it yours.",
  },
  {
    task: "That is how tiles are captured. Your full tile in the middle is beside one of your opponent's: topple it.",
    again: "Try again: play on your own tile with four pieces.",
    done: "The neighbour is yours, with all the pieces that were on it.",
  },
  {
    task: "A piece that comes onto a full tile topples that one, too. Set off a cascade with the full tile that is yours.",
    again: "Try again: your full tile lies beside a full one of your opponent's.",
    done: "One piece made three tiles topple, and most of the board is yours.",
  },
  {
    task: "Whoever owns every tile has won. Find the move that takes them all.",
    again: "Try again: only a tile that is full sets off a cascade.",
    done: "Every tile is yours: you have won.",
  },
];
