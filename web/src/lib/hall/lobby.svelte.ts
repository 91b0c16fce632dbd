import type { Said } from "../wire/happenings.ts";
import type { LobbyChanged, LobbyPicture } from "../wire/to_client.ts";
import type { Summary } from "../wire/types.ts";

const REMEMBERED = 100;

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

  seen(picture: LobbyPicture): void {
    this.tables = new Map(picture.tables.map((table) => [table.id, table]));
    this.talk = picture.said;
    this.here = picture.here;
    this.known = true;
  }

  changed(news: LobbyChanged): void {
    this.here = news.here;
    if (news.changed !== undefined || news.gone !== undefined) {
      const tables = new Map(this.tables);
      for (const table of news.changed ?? []) tables.set(table.id, table);
      for (const id of news.gone ?? []) tables.delete(id);
      this.tables = tables;
    }
    if (news.said !== undefined) this.talk = [...this.talk, ...news.said].slice(-REMEMBERED);
  }
}
