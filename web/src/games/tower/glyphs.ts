/** The marks as strokes in a square from -0.5 to 0.5, in seat order: a cross, a ring, a hook. */
export const GLYPHS = [
  "M-.23-.23L.23.23M.23-.23L-.23.23",
  "M.25 0A.25.25 0 1 1-.25 0A.25.25 0 1 1 .25 0Z",
  "M-.1-.27H.16V.07A.19.19 0 0 1-.22.07",
];
