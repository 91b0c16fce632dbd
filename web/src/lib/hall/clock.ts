import type { Clock, Seat, Time } from "../wire/types.ts";

export interface Left {
  /** What the face shows, in milliseconds. */
  shown: number;
  /** Overtime periods that remain, while they are being used. */
  periods: number | null;
  running: boolean;
}

/** What a seat has left at this moment of the server's time; the same arithmetic as the server's. */
export function left(clock: Clock, seat: Seat, now: number): Left | null {
  const time = clock.times[seat];
  if (time === undefined) return null;
  const running = clock.running.includes(seat);
  const spent = running ? spend(clock, time, Math.max(0, now - clock.since)) : time;
  const inOvertime = clock.setting.kind === "overtime" && spent.main <= 0;
  return {
    shown: inOvertime ? spent.overtime : spent.main,
    periods: inOvertime ? spent.periods : null,
    running,
  };
}

function spend(clock: Clock, time: Time, elapsed: number): Time {
  const main = time.main - elapsed;
  if (clock.setting.kind !== "overtime") return { main: Math.max(0, main), overtime: 0, periods: 0 };
  if (main >= 0) return { ...time, main };
  let overtime = time.overtime + main;
  let periods = time.periods;
  while (overtime <= 0 && periods > 0) {
    periods -= 1;
    overtime += clock.setting.length;
  }
  return { main: 0, overtime: periods > 0 ? Math.max(0, overtime) : 0, periods };
}

/** As a clock shows it: 9.4 below ten seconds, 0:42, 12:05, 1:02:03, and whole days for slow games. */
export function face(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  const pad = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours > 0) return `${hours}:${pad(minutes)}:${pad(seconds % 60)}`;
  return `${minutes}:${pad(seconds % 60)}`;
}
