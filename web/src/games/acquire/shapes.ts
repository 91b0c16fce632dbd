/** The sign of each seat, in a box from 0 to 24. */
export const SHAPES: readonly string[] = [
  "M12 2.5A9.5 9.5 0 1 1 12 21.5A9.5 9.5 0 1 1 12 2.5Z",
  "M3.5 3.5H20.5V20.5H3.5Z",
  "M12 2L22.5 20.5H1.5Z",
  "M12 1.5L22.5 12L12 22.5L1.5 12Z",
  "M12 1.5L22.5 9.2L18.5 21.5H5.5L1.5 9.2Z",
  "M8.5 2.5H15.5V8.5H21.5V15.5H15.5V21.5H8.5V15.5H2.5V8.5H8.5Z",
];
