import type { AtTable } from "./at_table.svelte.ts";

/** Where a table is; with its key if others would not be let in without. A rematch has the key of the game before. */
export function pathTo(at: AtTable, table = at.store.id, position: number | null = null): string {
  return `/t/${table}${position === null ? "" : `/${position}`}${keyPart(at.neededKey)}`;
}

/** What seats whoever opens it. */
export function invitationTo(at: AtTable): string {
  return `${location.origin}/t/${at.store.id}${keyPart(at.key)}`;
}

function keyPart(key: string | null): string {
  return key === null ? "" : `?key=${key}`;
}
