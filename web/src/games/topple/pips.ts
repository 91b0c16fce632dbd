/** One pip of each team, about a unit wide around the origin: so teams differ in shape as well as in colour. */
export const PIPS = [
  "M.5 0A.5.5 0 1 1-.5 0A.5.5 0 1 1 .5 0Z",
  "M-.45-.45H.45V.45H-.45Z",
  "M0-.56L.56.44H-.56Z",
  "M-.18-.52H.18V-.18H.52V.18H.18V.52H-.18V.18H-.52V-.18H-.18Z",
  "M.54 0A.54.54 0 1 1-.54 0A.54.54 0 1 1 .54 0ZM.22 0A.22.22 0 1 0-.22 0A.22.22 0 1 0 .22 0Z",
  "M0-.62L.5 0L0 .62L-.5 0Z",
];
/** What is nobody's has small round ones. */
export const NOBODYS = "M.34 0A.34.34 0 1 1-.34 0A.34.34 0 1 1 .34 0Z";

/** Where the pips of a tile are, as on dice, in units of its side. */
const FACES: [x: number, y: number][][] = [
  [],
  [[0, 0]],
  [[-1, 1], [1, -1]],
  [[-1, 1], [0, 0], [1, -1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
];
const SPREAD = 0.23;
export const LARGEST_FACE = FACES.length - 1;

/** All pips of a tile as one path. */
export function face(count: number, side: number): { x: number; y: number }[] {
  return (FACES[count] ?? []).map(([x, y]) => ({ x: x * SPREAD * side, y: y * SPREAD * side }));
}
