import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";

import { settings } from "../settings.svelte.ts";

const MOVE = 180;
/** What moves takes so many times as long as usual. Where nothing moves, what is only read stays as long as ever. */
const TIMES = { slow: 2, normal: 1, fast: 0.5, none: 1 };

export function calm(): boolean {
  return settings.motion === "none" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** So long as somebody wants it who has chosen how fast things move, in milliseconds. */
export function paced(usual: number): number {
  return usual * TIMES[settings.motion];
}

/** How long a move takes. */
export function moving(): number {
  return calm() ? 0 : paced(MOVE);
}

/** A piece is put down; in small pictures, of which there may be many, it is simply there. */
export function settle(_: Element, { still }: { still: boolean }): TransitionConfig {
  return {
    duration: still ? 0 : moving(),
    easing: cubicOut,
    css: (_, away) => `transform: translateY(${-14 * away}px) scale(${1 + 0.12 * away}); opacity: ${1 - away}`,
  };
}
