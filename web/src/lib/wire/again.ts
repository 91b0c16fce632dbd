import type { FromClient } from "./from_client.ts";

/**
 * Whether a message whose answer was lost with the connection may be sent again. Saying these twice does what
 * saying them once does: an action carries what its sender had seen, and the server refuses it if that seat has
 * acted since; the others describe how things should be, not a step.
 */
const MAY_BE_REPEATED: ReadonlySet<FromClient["type"]> = new Set([
  "act",
  "call_off",
  "configure",
  "decorate",
  "draw",
  "export",
  "leave",
  "legal",
  "lobby",
  "pause",
  "ready",
  "rematch",
  "resign",
  "resume",
  "sit",
  "start",
  "take_back",
  "watch",
]);

/** What takes somebody to another place, or away from this one: not what they want any more long after they asked. */
const CARRIES_OFF: ReadonlySet<FromClient["type"]> = new Set(["call_off", "export", "leave", "open", "rematch", "sit"]);
const A_WHILE = 8_000;

/**
 * Refusals that say: this has happened already. After a repetition they are good news. That an action came too late says
 * nothing of the kind: whether it was done is seen in what happened at the table (`RequestOptions.isDone`).
 */
const HAPPENED_ALREADY: Partial<Record<FromClient["type"], ReadonlySet<string>>> = {
  call_off: new Set(["over"]),
  export: new Set(["over"]),
  draw: new Set(["offered", "over", "no_offer"]),
  leave: new Set(["not_seated"]),
  pause: new Set(["paused"]),
  rematch: new Set(["asked", "succeeded"]),
  resign: new Set(["over"]),
  resume: new Set(["not_paused"]),
  sit: new Set(["seated"]),
  start: new Set(["started"]),
  take_back: new Set(["stale", "nothing_to_take_back"]),
};

export function mayBeRepeated(message: FromClient): boolean {
  return MAY_BE_REPEATED.has(message.type);
}

export function happenedAlready(message: FromClient, code: string): boolean {
  return HAPPENED_ALREADY[message.type]?.has(code) ?? false;
}

/** For how many milliseconds this may wait for a connection before it is not sent at all; null: however long it takes. */
export function waitsAtMost(message: FromClient): number | null {
  return CARRIES_OFF.has(message.type) ? A_WHILE : null;
}
