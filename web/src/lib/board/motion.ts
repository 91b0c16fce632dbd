import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";

const MOVE = 180;

export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A piece is put down; in small pictures, of which there may be many, it is simply there. */
export function settle(_: Element, { still }: { still: boolean }): TransitionConfig {
  return {
    duration: still || calm() ? 0 : MOVE,
    easing: cubicOut,
    css: (_, away) => `transform: translateY(${-14 * away}px) scale(${1 + 0.12 * away}); opacity: ${1 - away}`,
  };
}
