import { texts } from "../../texts/index.ts";
import type { GameTraits, Holder, Level } from "../wire/types.ts";

/** How the server calls bots that have no name of their own ends like this. */
const NAMELESS = " bot";

/** How strong the bots of a level are, in a word: the same wherever one is chosen or seen. */
export function strength(level: Level): string {
  return texts.bots.strengths[level.name] ?? level.title;
}

/** What a bot of a level is called where somebody chooses one. */
export function botOf(level: Level): string {
  return texts.bots.named[level.name] ?? texts.bots.of(level.title);
}

/** How strong a bot is; null if nobody knows any more. */
export function botStrength(holder: Holder | null, traits: GameTraits | undefined): string | null {
  const level = levelOf(holder, traits);
  return level === undefined ? null : strength(level);
}

/** That somebody is a bot, and how strong; null for people, and for bots that are called by just that. */
export function botNote(holder: Holder | null, traits: GameTraits | undefined): string | null {
  if (holder?.kind !== "bot" || holder.name.endsWith(NAMELESS)) return null;
  const level = levelOf(holder, traits);
  return level === undefined ? texts.table.bot : botOf(level);
}

function levelOf(holder: Holder | null, traits: GameTraits | undefined): Level | undefined {
  return holder?.kind === "bot" ? traits?.levels.find(({ name }) => name === holder.level) : undefined;
}

/** The next strengths above and below that of the strongest bot at a table, where there are any. */
export function otherStrengths(seats: readonly (Holder | null)[], traits: GameTraits | undefined): { stronger: Level | null; weaker: Level | null } {
  // The levels of a game go from weak to strong. Of other programs, whose bots have no names, nobody knows how strong they are.
  const levels = (traits?.levels ?? []).filter(({ names }) => names !== undefined);
  const found = seats.flatMap((holder) => (holder?.kind === "bot" ? [levels.findIndex(({ name }) => name === holder.level)] : []));
  const at = Math.max(...found);
  if (found.length === 0 || at < 0) return { stronger: null, weaker: null };
  return { stronger: levels[at + 1] ?? null, weaker: levels[at - 1] ?? null };
}
