import { hall } from "../../lib/hall/hall.svelte.ts";
import { router } from "../../lib/router.svelte.ts";
import type { GameTraits } from "../../lib/wire/types.ts";

/** A game against bots in every other seat, begun at once. */
export async function playBots(traits: GameTraits, level: string): Promise<void> {
  const go = router.fromHere();
  const seats = traits.default_seats[0]!;
  const bots = Array.from({ length: seats - 1 }, () => level);
  const { table } = await hall.open({ type: "open", game: traits.name, seats, bots });
  go(`/t/${table}`);
}

/** A private table with a link for friends; whoever opens it is seated. */
export async function inviteFriend(traits: GameTraits): Promise<void> {
  const go = router.fromHere();
  const seats = traits.default_seats[0]!;
  const { table } = await hall.open({
    type: "open",
    game: traits.name,
    private: true,
    seats,
  });
  go(`/t/${table}`);
}
