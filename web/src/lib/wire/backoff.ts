const FIRST = 400;
export const LONGEST = 15_000;

/** How long to wait before the next attempt: doubling, with a spread so that not all come back at once. */
export function backoff(attempt: number, random: number): number {
  const full = Math.min(LONGEST, FIRST * 2 ** attempt);
  return full / 2 + (full / 2) * random;
}
