import type { Said } from "../wire/happenings.ts";
import type { LobbyChanged, LobbyPicture } from "../wire/to_client.ts";
import type { Summary } from "../wire/types.ts";

const REMEMBERED = 100;

interface Picture {
  tables: ReadonlyMap<string, Summary>;
  talk: Said[];
  here: number;
}

/** The live list of tables, the talk, and how many are here. */
export class Lobby {
  tables: ReadonlyMap<string, Summary> = $state.raw(new Map());
  talk: Said[] = $state.raw([]);
  here = $state(0);
  known = $state(false);

  readonly open = $derived(
    [...this.tables.values()]
      .filter((table) => table.phase === "setup" || (table.waiting === true && table.phase !== "over"))
      .sort((one, other) => other.opened - one.opened),
  );
  readonly running = $derived(
    [...this.tables.values()]
      .filter((table) => table.phase === "playing" || table.phase === "paused")
      .sort((one, other) => other.changed - one.changed),
  );
  readonly finished = $derived(
    [...this.tables.values()]
      .filter((table) => table.phase === "over")
      .sort((one, other) => other.changed - one.changed),
  );

  /** A picture whose rest may be on its way: shown with it, so that no table vanishes and comes back. */
  #coming: Picture | null = null;

  pictured(picture: LobbyPicture): void {
    const tables = new Map(picture.tables.map((table) => [table.id, table]));
    const whole = { tables, talk: picture.said, here: picture.here };
    // What nobody asked for has no answer that says it is complete.
    if (picture.anew === true && this.#coming === null) this.#show(whole);
    else this.#coming = whole;
  }

  answered(): void {
    if (this.#coming === null) return;
    this.#show(this.#coming);
    this.#coming = null;
    this.known = true;
  }

  /** Nobody looks at it, so it is not told any more. */
  left(): void {
    this.#coming = null;
    this.known = false;
  }

  changed(news: LobbyChanged): void {
    if (this.#coming === null) this.#show(after(this, news));
    else this.#coming = after(this.#coming, news);
  }

  #show({ tables, talk, here }: Picture): void {
    this.tables = tables;
    this.talk = talk;
    this.here = here;
  }
}

function after(shown: Picture, { changed, gone, said, here }: LobbyChanged): Picture {
  let tables = shown.tables;
  if (changed !== undefined || gone !== undefined) {
    const next = new Map(tables);
    for (const table of changed ?? []) next.set(table.id, table);
    for (const id of gone ?? []) next.delete(id);
    tables = next;
  }
  return { tables, talk: said === undefined ? shown.talk : [...shown.talk, ...said].slice(-REMEMBERED), here };
}
