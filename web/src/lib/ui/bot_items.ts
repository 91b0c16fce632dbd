import { botOf } from "../hall/bots.ts";
import type { Level } from "../wire/types.ts";
import type { Item } from "./Menu.svelte";

/** A bot of each strength, to choose one. */
export function botItems(levels: readonly Level[], run: (level: string) => void): Item[] {
  return levels.map((level) => ({
    text: botOf(level),
    ...(level.names?.[0] === undefined ? {} : { bot: level.names[0] }),
    run: () => run(level.name),
  }));
}
