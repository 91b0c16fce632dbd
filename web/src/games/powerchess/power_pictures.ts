import type { PowerName } from "./rules.ts";

/** Pictures of the powers, in a box from -50 to 50: what is filled with a tint, and the lines over it. */
export interface PowerPicture {
  tint: string;
  lines: string;
}

/** A small pawn with its middle here. */
const pawn = (x: number, y: number) =>
  `M${x} ${y - 25}a10 10 0 0 1 6 18c0 10 4 15 9 22h-30c5-7 9-12 9-22a10 10 0 0 1 6-18Z`;
const cross = (x: number, y: number, size: number) =>
  `M${x - size} ${y - size}l${2 * size} ${2 * size}M${x + size} ${y - size}l${-2 * size} ${2 * size}`;

export const POWER_PICTURES: Readonly<Record<PowerName, PowerPicture>> = {
  adjust: {
    tint: "M-12-12H12V12H-12Z",
    lines: "M-12-12H12V12H-12ZM0-18V-38M-7-31L0-38L7-31M0 18V38M-7 31L0 38L7 31M-18 0H-38M-31-7L-38 0L-31 7M18 0H38M31-7L38 0L31 7",
  },
  rewind: {
    tint: "M-30 0A30 30 0 1 0 0-30A30 30 0 0 0-30 0Z",
    lines: "M-22-21A30 30 0 1 1-30 4M-24-38L-23-20L-5-22M0-16V2L12 9",
  },
  second_effort: {
    tint: "M-36-20L-8 0L-36 20ZM0-20L28 0L0 20Z",
    lines: "M-36-20L-8 0L-36 20ZM0-20L28 0L0 20ZM38-22V22",
  },
  shield: {
    tint: "M0-38L30-28V-4C30 18 14 31 0 38C-14 31-30 18-30-4V-28Z",
    lines: "M0-38L30-28V-4C30 18 14 31 0 38C-14 31-30 18-30-4V-28ZM0-24V24M-18-4H18",
  },
  swap: {
    tint: `${pawn(-22, 20)}${pawn(22, 20)}`,
    lines: `${pawn(-22, 20)}${pawn(22, 20)}M-24-16C-16-44 16-44 24-16M13-22L24-15L32-26`,
  },
  black_hole: {
    tint: "M-22 0A22 22 0 1 1 22 0A22 22 0 1 1-22 0Z",
    lines: "M-22 0A22 22 0 1 1 22 0A22 22 0 1 1-22 0ZM-40 14C-24 30 28 12 40-14C24-30-28-12-40 14Z",
  },
  energize: {
    tint: "M8-40L-22 6H-2L-8 40L22-8H2Z",
    lines: "M8-40L-22 6H-2L-8 40L22-8H2ZM30-30L37-38L44-30M37-36V-16M-44 30L-37 38L-30 30M-37 36V16",
  },
  eye_for_an_eye: {
    tint: "M-40 0C-22-26 22-26 40 0C22 26-22 26-40 0Z",
    lines: "M-40 0C-22-26 22-26 40 0C22 26-22 26-40 0ZM-12 0A12 12 0 1 1 12 0A12 12 0 1 1-12 0ZM-30 34L30-34",
  },
  safety_net: {
    tint: "M-38-2C-30 40 30 40 38-2Z",
    lines: `M-38-2C-30 40 30 40 38-2ZM-24-2C-20 14-12 24-4 30M24-2C20 14 12 24 4 30M-8-2C-6 10 6 20 16 24M8-2C6 10-6 20-16 24M0-40V-16M-7-23L0-15L7-23`,
  },
  send_away: {
    tint: pawn(0, -16),
    lines: `${pawn(0, -16)}M0 6V28M-8 20L0 29L8 20M-36 40H36`,
  },
  armageddon: {
    tint: "M-10 8A20 20 0 1 1 18 30A20 20 0 0 1-10 8Z",
    lines: `M-13 14A20 20 0 1 1 22 28A20 20 0 0 1-13 14ZM-10 2L-38-30M0-8L-20-38M-19 14L-42-4${cross(11, 17, 7)}`,
  },
  awaken: {
    tint: "M-24 28L-32-6L-14 8L0-18L14 8L32-6L24 28Z",
    lines: "M-24 28L-32-6L-14 8L0-18L14 8L32-6L24 28ZM-24 37H24M0-28V-42M-20-20L-28-32M20-20L28-32",
  },
  clone: {
    tint: `${pawn(-18, 2)}${pawn(18, 20)}`,
    lines: `${pawn(-18, 2)}${pawn(18, 20)}M22-42V-18M10-30H34`,
  },
  reanimate: {
    tint: "M-24 36V-6A24 24 0 0 1 24-6V36Z",
    lines: "M-24 36V-6A24 24 0 0 1 24-6V36M-38 36H38M0 26V-12M-10-2L0-13L10-2",
  },
};
