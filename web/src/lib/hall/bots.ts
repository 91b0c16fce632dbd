import { texts } from "../../texts/index.ts";
import type { GameTraits, Holder } from "../wire/types.ts";

/** How strong a bot is, in a word; null for people, and for bots that are called by just that. */
export function botLevel(holder: Holder | null, traits: GameTraits | undefined): { level: string } | null {
  if (holder?.kind !== "bot" || holder.name.endsWith(` ${texts.table.bot}`)) return null;
  const level = traits?.levels.find(({ name }) => name === holder.level);
  return { level: level?.title.toLowerCase() ?? "" };
}

/** That somebody is a bot, and how strong. */
export function botNote(holder: Holder | null, traits: GameTraits | undefined): string | null {
  const found = botLevel(holder, traits);
  return found === null ? null : texts.create.bot(found.level).trim();
}
