/** The five shapes of the word mark, one per game in its colour, each in a box from 0 to 10. */
export const SHAPES: { game: string; path: string }[] = [
  { game: "topple", path: "M1.2 1.2H8.8V8.8H1.2Z" },
  { game: "tafl", path: "M5 .3L9.7 5L5 9.7L.3 5Z" },
  { game: "acquire", path: "M5 .4L9 2.7V7.3L5 9.6L1 7.3V2.7Z" },
  {
    game: "powerchess",
    path: "M5 .3L6.3 3.5L9.8 3.8L7.1 6L8 9.5L5 7.6L2 9.5L2.9 6L.2 3.8L3.7 3.5Z",
  },
  { game: "tower", path: "M5 .8L9.6 9H.4Z" },
];
