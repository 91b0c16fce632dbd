import { NONE, type Notes, type Step } from "./notes.ts";

/** Of so many games this browser keeps what was written about them; then the oldest make room. */
export const MOST_GAMES = 50;
const LIST = "gamut.notes";
const keyOf = (table: string) => `${LIST}.${table}`;

/** What a browser offers for keeping things; in tests anything like it. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What this browser keeps things in; where it may not keep anything, what is written lasts as long as the page. */
export function browserShelf(): Shelf {
  try {
    return localStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}

export function readNotes(shelf: Shelf, table: string): Notes {
  const found = parsed(shelf.getItem(keyOf(table))) as Partial<Notes> | null;
  if (found === null || typeof found !== "object" || !Array.isArray(found.steps)) return NONE;
  const comments = Object.entries(found.comments ?? {}).filter(([, words]) => typeof words === "string");
  return { comments: Object.fromEntries(comments), steps: sound(found.steps as unknown[]) };
}

/** Keep them; false if the browser has no room, not even after the oldest are gone. */
export function writeNotes(shelf: Shelf, table: string, notes: Notes): boolean {
  const others = listed(shelf).filter((id) => id !== table);
  if (notes.steps.length === 0 && Object.keys(notes.comments).length === 0) {
    shelf.removeItem(keyOf(table));
    return put(shelf, LIST, JSON.stringify(others));
  }
  const list = [...others, table];
  while (list.length > MOST_GAMES) shelf.removeItem(keyOf(list.shift()!));
  const written = JSON.stringify(notes);
  while (!put(shelf, keyOf(table), written)) {
    const oldest = list.shift();
    if (oldest === undefined || oldest === table) return false;
    shelf.removeItem(keyOf(oldest));
  }
  return put(shelf, LIST, JSON.stringify(list));
}

function listed(shelf: Shelf): string[] {
  const found = parsed(shelf.getItem(LIST));
  return Array.isArray(found) ? found.filter((id) => typeof id === "string") : [];
}

function parsed(written: string | null): unknown {
  try {
    return JSON.parse(written ?? "null");
  } catch {
    return null;
  }
}

function put(shelf: Shelf, key: string, value: string): boolean {
  try {
    shelf.setItem(key, value);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === "QuotaExceededError") return false;
    throw error;
  }
}

/** The steps that are what they should be, and whose line begins in the game: others may have written there, too. */
function sound(found: unknown[]): Step[] {
  const steps: Step[] = [];
  const ids = new Set<number>();
  for (const step of found as Partial<Step>[]) {
    const { id, at, parent = null, seat = null, events, comment = "" } = step ?? {};
    if (!Number.isInteger(id) || !Number.isInteger(at) || !Array.isArray(events) || typeof comment !== "string") continue;
    if (ids.has(id!) || (parent !== null && !ids.has(parent))) continue;
    ids.add(id!);
    steps.push({ id: id!, at: at!, parent, seat, events: events as unknown[], comment });
  }
  return steps;
}
