/** Sides, from above clockwise, as bits. */
const [UP, RIGHT, DOWN, LEFT] = [1, 2, 4, 8];

export interface Roof {
  outline: string;
  /** Edges towards the light, which comes from the upper left, and those away from it. */
  lit: string;
  shaded: string;
}

const made = new Map<string, Roof>();

/** One lot of a building: it goes on where the building does, and has an edge elsewhere. */
export function roof(joins: number, pitch: number): Roof {
  const key = `${joins} ${pitch}`;
  let found = made.get(key);
  if (found === undefined) made.set(key, (found = make(joins, pitch)));
  return found;
}

function make(joins: number, pitch: number): Roof {
  const joined = (side: number) => (joins & side) !== 0;
  // Parts of one building overlap a little, so that no seam is seen between them.
  const reach = (side: number) => (joined(side) ? pitch / 2 + 0.4 : pitch / 2 - 2.5);
  const [top, right, bottom, left] = [-reach(UP), reach(RIGHT), reach(DOWN), -reach(LEFT)];
  const corner = (one: number, other: number) => (joined(one) || joined(other) ? 0 : 6);
  const [a, b, c, d] = [corner(UP, LEFT), corner(UP, RIGHT), corner(DOWN, RIGHT), corner(DOWN, LEFT)];
  const outline =
    `M${left + a} ${top}H${right - b}q${b} 0 ${b} ${b}V${bottom - c}q0 ${c} ${-c} ${c}` +
    `H${left + d}q${-d} 0 ${-d} ${-d}V${top + a}q0 ${-a} ${a} ${-a}z`;
  const lit = [
    ...(joined(UP) ? [] : [`M${left + a} ${top + 1}H${right - b}`]),
    ...(joined(LEFT) ? [] : [`M${left + 1} ${top + a}V${bottom - d}`]),
  ];
  const shaded = [
    ...(joined(DOWN) ? [] : [`M${left + d} ${bottom - 1.5}H${right - c}`]),
    ...(joined(RIGHT) ? [] : [`M${right - 1.5} ${top + b}V${bottom - c}`]),
  ];
  return { outline, lit: lit.join(""), shaded: shaded.join("") };
}
