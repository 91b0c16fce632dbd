/** Our own chessmen, in a box from -50 to 50: an outline for each, and the lines that are cut into it. */
export interface Figure {
  outline: string;
  cuts: string;
}

const FOOT = "M-25 33H25Q29 33 29 37V42H-29V37Q-29 33-25 33Z";

export const FIGURES: Readonly<Record<string, Figure>> = {
  p: {
    outline: `M0-27A13.5 13.5 0 0 1 8-3L14 3H8C9 15 15 22 20 33H-20C-15 22-9 15-8 3H-14L-8-3A13.5 13.5 0 0 1 0-27Z${FOOT}`,
    cuts: "M-8 3H8",
  },
  n: {
    outline: `M-6-33L-2-42L4-33C21-28 28-8 23 33H-21C-21 17-7 11-6-1C-12 4-18 3-22 8C-27 10-32 4-30-2L-15-24C-13-28-10-31-6-33Z${FOOT}`,
    cuts: "M13-20C19-8 19 8 16 24M-12-20L-9-18",
  },
  b: {
    outline: `M0-44A5 5 0 0 1 4-36C17-26 21-11 12-1L15 5H8C9 16 16 23 21 33H-21C-16 23-9 16-8 5H-15L-12-1C-21-11-17-26-4-36A5 5 0 0 1 0-44Z${FOOT}`,
    cuts: "M-8 5H8M3-25L10-14",
  },
  r: {
    outline: `M-24-36H-14V-28H-5V-36H5V-28H14V-36H24V-18L17-10C17 8 18 20 22 33H-22C-18 20-17 8-17-10L-24-18Z${FOOT}`,
    cuts: "M-22-18H22M-17-8H17",
  },
  q: {
    outline: `M-19 8L-33-20L-17-8L-17-34L-6-11L0-40L6-11L17-34L17-8L33-20L19 8C15 16 18 24 23 33H-23C-18 24-15 16-19 8Z${FOOT}`,
    cuts: "M-19 8H19M-17 18H17",
  },
  k: {
    outline: `M-4-46H4V-40H10V-32H4V-24C16-34 35-26 30-8C28 1 20 6 19 14C18 21 20 27 23 33H-23C-20 27-18 21-19 14C-20 6-28 1-30-8C-35-26-16-34-4-24V-32H-10V-40H-4Z${FOOT}`,
    cuts: "M0-21V13M-19 14H19M-18 22H18",
  },
};

/** So many strokes of a ring, of those that there were; each a move that is left. */
export function strokes(left: number, most: number, radius: number): string {
  const turn = (2 * Math.PI) / most;
  const at = (angle: number) => `${round(radius * Math.sin(angle))} ${round(-radius * Math.cos(angle))}`;
  const gap = Math.min(0.11, turn / 4);
  return Array.from({ length: Math.min(left, most) }, (_, index) => {
    const [from, to] = [index * turn + gap, (index + 1) * turn - gap];
    return `M${at(from)}A${radius} ${radius} 0 0 1 ${at(to)}`;
  }).join("");
}

const round = (value: number) => Math.round(value * 10) / 10;
