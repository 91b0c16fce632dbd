import type { ClockSetting, Holder, Room, Seat, Sitter, StartRule } from "./types.ts";

/** Everything that can happen at a table, as the server stores and sends it (gamut.hall.table.events). */
export type Happening = { at: number } & (
  | {
      type: "opened";
      table: string;
      game: string;
      options: Record<string, unknown>;
      seats: number;
      clock: ClockSetting;
      start: StartRule;
      private: boolean;
      key: string;
      host: string | null;
      room?: string | null;
      before?: string | null;
      /** Empty if there is one: what it is, nobody is told. */
      password?: string;
      guards_watching?: boolean;
      watchable?: boolean;
      decor?: Record<string, unknown>;
      /** Watchers talk at the table, too. */
      one_chat?: boolean;
      /** Who played on from the table before. */
      holders?: (Holder | null)[];
    }
  | {
      type: "configured";
      options: Record<string, unknown>;
      clock: ClockSetting;
      start: StartRule;
      private: boolean;
      decor?: Record<string, unknown> | null;
      /** Who sits where from now on, where there are more seats or fewer than before. */
      holders?: (Holder | null)[];
    }
  | { type: "decorated"; decor: Record<string, unknown> }
  | { type: "sat"; seat: Seat; sitter: Sitter }
  | { type: "bot_sat"; seat: Seat; level: string; name: string }
  | { type: "stood"; seat: Seat; person: string | null; why: "left" | "kicked" | "gone" | "removed"; bar?: boolean }
  | { type: "swapped"; a: Seat; b: Seat }
  | { type: "host_changed"; host: string | null }
  | { type: "readied"; seat: Seat; ready: boolean }
  /** The order says for each seat in which one its player sat until now, where anybody was moved. */
  | { type: "started"; events: unknown[]; order?: Seat[] }
  | { type: "played"; events: unknown[]; seat?: Seat | null; why?: PlayedWhy }
  /** A seat took back what it did last, with all that came after it: so many moves stand. */
  | { type: "taken_back"; seat: Seat; moves: number }
  | { type: "paused" }
  | { type: "resumed" }
  | { type: "draw_offered"; seat: Seat }
  | { type: "draw_declined"; seat: Seat }
  | { type: "rematch_wanted"; seat: Seat; level?: string | null }
  | { type: "succeeded"; next: string }
  | Said
  | { type: "dropped"; person: string }
  | { type: "returned"; person: string }
  /** Somebody who sits here has another name from now on, or an account. */
  | { type: "renamed"; person: string; name: string; guest?: boolean }
  | { type: "waited_out"; seat: Seat }
  /** The server was away, or a part of it. Whom it has cut off has yet to come back: everybody if it does not say. */
  | { type: "woken"; cut_off?: string[] | null }
  /** Another server has the table from now on: clocks ran up to `charged`, and go on at this moment. */
  | { type: "handed"; charged: number; node: number }
  | { type: "closed"; why: ClosedWhy }
);

export type ClosedWhy = "empty" | "abandoned" | "exported" | "called_off" | "removed" | "endless";

export type PlayedWhy = "acted" | "flagged" | "quit" | "agreed";

export interface Said {
  type: "said";
  at: number;
  person: string;
  name: string;
  text: string;
  room: Room;
}
