import { texts } from "../../texts/index.ts";
import type { GameTraits, Holder } from "../wire/types.ts";

/** That somebody is a bot, and how strong; null for people, and for bots that are called by just that. */
export function botNote(holder: Holder | null, traits: GameTraits | undefined): string | null {
  if (holder?.kind !== "bot" || holder.name.endsWith(` ${texts.table.bot}`)) return null;
  const level = traits?.levels.find(({ name }) => name === holder.level);
  return level === undefined ? texts.table.bot : texts.create.bot(level.title).toLowerCase();
}
