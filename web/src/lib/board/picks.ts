/** One thing that is picked on the way to an action: a square by its id, or a control, which has no square's id. */
export type Pick = string;

/** An action, and the picks by which it is chosen. */
export interface Way {
  action: unknown;
  path: readonly Pick[];
}

/** What can be picked after these picks, each once, in the order of the actions. */
export function nextPicks(ways: readonly Way[], picks: readonly Pick[]): Pick[] {
  const next = new Set<Pick>();
  for (const { path } of ways) {
    const pick = path[picks.length];
    if (pick !== undefined && begins(path, picks)) next.add(pick);
  }
  return [...next];
}

/** The actions that one more pick would complete, by that pick. */
export function completedBy(ways: readonly Way[], picks: readonly Pick[]): Map<Pick, unknown> {
  const found = new Map<Pick, unknown>();
  for (const { action, path } of ways) {
    const last = path[picks.length];
    if (last === undefined || path.length !== picks.length + 1 || found.has(last)) continue;
    if (begins(path, picks)) found.set(last, action);
  }
  return found;
}

/** The next picks that can be followed by one that fulfils the condition. */
export function followedBy(
  ways: readonly Way[],
  picks: readonly Pick[],
  condition: (pick: Pick) => boolean,
): Set<Pick> {
  const found = new Set<Pick>();
  for (const { path } of ways) {
    const [next, then] = path.slice(picks.length, picks.length + 2);
    if (next !== undefined && then !== undefined && condition(then) && begins(path, picks)) found.add(next);
  }
  return found;
}

/** The action whose whole path these picks are; null where something is missing still. */
export function actionOf(ways: readonly Way[], picks: readonly Pick[]): Way | null {
  return ways.find(({ path }) => path.length === picks.length && begins(path, picks)) ?? null;
}

/** As many of these picks as still lead anywhere. */
export function stillPossible(ways: readonly Way[], picks: readonly Pick[]): readonly Pick[] {
  for (let length = picks.length; length > 0; length--) {
    const kept = picks.slice(0, length);
    if (ways.some(({ path }) => begins(path, kept))) return length === picks.length ? picks : kept;
  }
  return [];
}

/**
 * The picks after one more, or null if that means nothing here. What goes on from the picks so far is added. What was
 * picked before is taken back, with all that came after it. Anything else takes the place of the latest pick that it
 * could have been instead: whoever holds one piece and points at another holds that one.
 */
export function picked(
  ways: readonly Way[],
  picks: readonly Pick[],
  pick: Pick,
): { picks: readonly Pick[]; back: boolean } | null {
  if (nextPicks(ways, picks).includes(pick)) return { picks: [...picks, pick], back: false };
  const before = picks.lastIndexOf(pick);
  if (before >= 0) return { picks: picks.slice(0, before), back: true };
  for (let length = picks.length - 1; length >= 0; length--) {
    const kept = picks.slice(0, length);
    if (nextPicks(ways, kept).includes(pick)) return { picks: [...kept, pick], back: false };
  }
  return null;
}

function begins(path: readonly Pick[], picks: readonly Pick[]): boolean {
  return picks.every((pick, at) => path[at] === pick);
}
