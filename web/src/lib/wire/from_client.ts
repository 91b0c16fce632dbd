import type { ClockSetting, Room, Seat, StartRule } from "./types.ts";

/** What the page says at the web door (gamut.doors.web.from_client). */
export type FromClient =
  | { type: "ping" }
  | { type: "lobby"; follow: boolean }
  | {
      type: "open";
      game: string;
      options?: Record<string, unknown>;
      seats?: number;
      clock?: ClockSetting;
      start?: StartRule;
      private?: boolean;
      password?: string;
      guards_watching?: boolean;
      watchable?: boolean;
      bots?: string[];
      seat?: Seat;
    }
  | {
      type: "watch";
      table: string;
      since?: number;
      stamp?: number;
      key?: string;
      password?: string;
      glance?: boolean;
    }
  | { type: "unwatch"; table: string }
  | { type: "sit"; table: string; seat?: Seat; key?: string; password?: string }
  | { type: "leave"; table: string }
  | { type: "bot"; table: string; level: string; seat?: Seat }
  | { type: "unseat"; table: string; seat: Seat; bar?: boolean }
  | { type: "swap"; table: string; a: Seat; b: Seat }
  | { type: "call_off"; table: string }
  | { type: "ready"; table: string; ready: boolean }
  | { type: "start"; table: string }
  | { type: "promote"; table: string; seat: Seat }
  | {
      type: "configure";
      table: string;
      options?: Record<string, unknown>;
      clock?: ClockSetting;
      start?: StartRule;
      private?: boolean;
      /** How many there are to be. */
      seats?: number;
    }
  | { type: "decorate"; table: string; decor: Record<string, unknown> }
  | { type: "export"; table: string }
  | { type: "act"; table: string; action: unknown; seen: number }
  | { type: "legal"; table: string }
  | { type: "resign"; table: string }
  | { type: "take_back"; table: string; moves: number }
  | { type: "draw"; table: string; accept: boolean }
  | { type: "pause"; table: string }
  | { type: "resume"; table: string }
  | { type: "rematch"; table: string; level?: string }
  | { type: "say"; text: string; table?: string; room?: Room };
