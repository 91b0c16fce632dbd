import { gameView } from "../../games/index.ts";
import type { FromClient } from "../wire/from_client.ts";
import type { Refused } from "../wire/refused.ts";
import type { Events, TablePicture, Watchers } from "../wire/to_client.ts";
import { fromPicture, seatOf, told, type Table } from "./table.ts";

/** One table that the page follows. */
export class TableStore {
  table: Table | null = $state.raw(null);
  error: Refused | null = $state.raw(null);
  /** Who looks on; null while nobody does. */
  watchers: Watchers | null = $state.raw(null);
  /** Where the people of this table went on playing, once we were taken along. */
  movedTo: string | null = $state(null);
  key: string | undefined;
  /** How many parts of the page show this table, and how many of them as a person at it. */
  users = 0;
  present = 0;
  /** Whether its whole history is wanted, or only how it stands. */
  history = false;

  constructor(readonly id: string) {}

  /** What to say in order to follow it, from where we are. */
  get watch(): FromClient {
    const key = this.key === undefined ? {} : { key: this.key };
    const glance = this.present === 0 ? { glance: true } : {};
    return { type: "watch", table: this.id, ...this.#since, ...key, ...glance };
  }

  get #since(): { since?: number } {
    if (this.table !== null && (this.table.complete || !this.history)) return { since: this.table.seq };
    return this.history ? { since: 0 } : {};
  }

  pictured(picture: TablePicture): void {
    this.error = null;
    const known = this.table;
    if (known?.complete === true && known.seq === picture.seq) {
      // The history is here already; the picture only says what the log does not.
      this.table = { ...known, key: picture.key ?? known.key };
    } else if (!this.history || known === null) {
      this.table = fromPicture(picture);
    }
  }

  /** False if something is missing, and the table must be asked for anew. */
  happened(news: Events): boolean {
    this.error = null;
    const next = told(this.table, news, gameView);
    if (next === null) {
      this.table = null;
      return false;
    }
    this.table = next;
    return true;
  }

  seat(person: string | undefined): number | null {
    return this.table === null ? null : seatOf(this.table, person);
  }
}
