import { gameView } from "../../games/index.ts";
import { doing } from "../../lib/doing.ts";
import { told, type Position, type Table } from "../../lib/hall/table.ts";
import { api } from "../../lib/wire/api.ts";
import type { Happening } from "../../lib/wire/happenings.ts";
import type { Seat } from "../../lib/wire/types.ts";

/** A finished game as one of its players saw it while it was played. */
export class Eyes {
  seat: Seat | null = $state(null);
  positions: Position[] | null = $state.raw(null);
  /** Who was asked for last: an answer that comes late is not shown. */
  #wanted: Seat | null = null;

  /** From this place, with all that there is to see. */
  follow(seat: Seat | null): void {
    this.#wanted = this.seat = seat;
    this.positions = null;
  }

  /** Null for everything that there is to see. */
  async look(table: Table, seat: Seat | null): Promise<void> {
    this.#wanted = seat;
    if (seat === null) {
      this.seat = this.positions = null;
      return;
    }
    await doing(async () => {
      const key = table.key === null ? "" : `&key=${table.key}`;
      const { seq, events } = await api<{ seq: number; events: Happening[] }>(
        "GET",
        `/api/tables/${table.id}/log?seat=${seat}${key}`,
      );
      if (this.#wanted !== seat) return;
      const { id, stamp, phase, awaited } = table;
      const news = { type: "events" as const, table: id, after: 0, seq, stamp, now: 0, phase, awaited, events };
      this.positions = told(null, news, gameView)?.positions ?? null;
      this.seat = seat;
    });
  }
}
