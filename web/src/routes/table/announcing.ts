import { texts } from "../../texts/index.ts";
import { agreement } from "../../lib/hall/draws.ts";
import type { AnyGame } from "../../games/game.ts";
import { stepsOf, type Table } from "../../lib/hall/table.ts";
import type { AtTable } from "./at_table.svelte.ts";
import { places, why } from "./headline.ts";
import { howStood } from "./removing.ts";
import type { ClosedWhy, Happening } from "../../lib/wire/happenings.ts";
import type { Seat } from "../../lib/wire/types.ts";

/** What a screen reader says of an event; null for what is of no interest. */
export function announcement(table: Table, game: AnyGame | null, event: Happening, mine: Seat | null = null): string | null {
  const words = texts.happened;
  const seated = (seat: number) => table.seats[seat]?.name ?? table.leavers[seat] ?? texts.seat(seat);
  const person = (id: string | null) =>
    table.seats.find((holder) => holder?.kind === "person" && holder.person === id)?.name ?? null;
  switch (event.type) {
    case "sat":
      return words.sat(event.sitter.name);
    case "bot_sat":
      return words.sat(event.name);
    case "stood":
      return words.stood[howStood(table.log, event)](nameBefore(table, event));
    case "swapped":
      return words.swapped(texts.seat(event.a), texts.seat(event.b));
    case "started":
      return words.started;
    case "played":
      return steps(table, event)
        .flatMap((step) => game?.announcement(step.event, step.after, seated) ?? [])
        .map((move) => (event.seat === undefined || event.seat === null ? move : texts.table.played(seated(event.seat), move)))
        .map((move) => `${move}.`)
        .join(" ");
    case "paused":
      return words.paused;
    case "resumed":
      return words.resumed;
    case "taken_back":
      return mine === event.seat ? words.youTookBack : words.tookBack(seated(event.seat));
    case "draw_offered":
      return agreement(table.log)?.accepted.includes(event.seat) === true
        ? words.drawAccepted(seated(event.seat))
        : words.drawOffered(seated(event.seat));
    case "draw_declined":
      return words.drawDeclined(seated(event.seat));
    case "rematch_wanted":
      return words.rematch(seated(event.seat));
    case "said":
      return `${event.name}: ${event.text}`;
    case "dropped": {
      const name = person(event.person);
      return name === null ? null : words.dropped(name);
    }
    case "returned": {
      const name = person(event.person);
      return name === null ? null : words.returned(name);
    }
    case "renamed": {
      const before = calledBefore(table, event, event.person);
      return before === null || before === event.name ? null : words.renamed(before, event.name);
    }
    case "host_changed": {
      const name = person(event.host);
      return name === null ? null : words.host(name);
    }
    case "waited_out":
      return words.waitedOut(seated(event.seat));
    case "woken":
      return words.woken;
    case "closed":
      return closed(event.why);
    case "decorated":
      return words.decorated;
    case "configured":
      return words.configured;
    default:
      return null;
  }
}

function closed(why: ClosedWhy): string {
  const { calledOff, endless, exported, noResult, closed } = texts.happened;
  return { called_off: calledOff, endless, exported, removed: noResult, empty: closed, abandoned: closed }[why];
}

/** How a game ended, beyond who won: why, and where on the board that is to be seen. */
export function ending(at: AtTable): string[] {
  const { game, table } = at;
  const position = table?.positions.at(-1);
  if (game === null || !table?.outcome || position === undefined) return [];
  const squares = new Map(game.layout(position.state, at.side, at.viewer).squares.map(({ id, name }) => [id, name]));
  const winning = game
    .highlights(position.state, position.events, at.viewer)
    .flatMap(({ kind, squares: lit }) => (kind === "win" ? lit.map((id) => squares.get(id) ?? "") : []));
  const [reason, placed] = [why(at), places(at)];
  return [
    ...(reason === null ? [] : [winning.length > 0 ? texts.happened.won(reason, winning) : `${reason}.`]),
    ...(placed === null ? [] : [`${placed}.`]),
  ];
}

function steps(table: Table, played: Happening & { type: "played" }): { event: unknown; after: unknown }[] {
  const found = table.positions.findLast((position) => position.events === played.events);
  return found === undefined ? [] : stepsOf(found);
}

/** Who sat there until this event, by the last one who had sat down before it. */
function nameBefore(table: Table, stood: Happening & { type: "stood" }): string {
  const before = table.log.slice(0, table.log.indexOf(stood)).findLast(
    (event) => (event.type === "sat" || event.type === "bot_sat") && event.seat === stood.seat,
  );
  if (before?.type === "sat") return calledBefore(table, stood, before.sitter.person) ?? before.sitter.name;
  return before?.type === "bot_sat" ? before.name : texts.seat(stood.seat);
}

/** What somebody was called until this event: as they sat down, or by the name they took after that. */
function calledBefore(table: Table, event: Happening, person: string): string | null {
  const before = table.log.slice(0, table.log.indexOf(event)).findLast(
    (earlier) =>
      (earlier.type === "sat" && earlier.sitter.person === person) || (earlier.type === "renamed" && earlier.person === person),
  );
  if (before?.type === "sat") return before.sitter.name;
  return before?.type === "renamed" ? before.name : null;
}
