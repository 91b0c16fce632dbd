import type { LessonWords } from "../lesson.ts";

/** What the first lesson of Acquire says, position by position. */
export const words: LessonWords[] = [
  {
    task: "These six tiles are yours, and each has its place on the board. Play any of them.",
    done: "A tile by itself is a house. You have drawn another one in its place.",
  },
  {
    task: "A tile beside a house founds a hotel chain. One of yours does: it is marked as new. Play it.",
    again: "Try again: play 5D, which is just below the house on 5C.",
    done: "Two tiles side by side are a chain.",
  },
  {
    task: "Whoever founds a chain chooses its name, and gets a share of it for nothing. Choose one.",
    done: "The chain is on the board, and one share of it is yours.",
  },
  {
    task: "Then you may buy up to three shares, of any chain on the board. Buy at least one.",
    again: "Try again: take a share or more before you go on.",
    done: "The larger the chain becomes, the more your shares are worth.",
  },
  {
    task: "A tile between two chains merges them, and the larger swallows the smaller. You hold the most of Luxor, the smaller one: play the tile between them.",
    again: "Try again: 6E lies between Luxor and Imperial.",
    done: "You got $3,000 as the largest shareholder of Luxor. Now its shares would be sold, kept, or traded two for one.",
  },
];
