import { shelf } from "./index.ts";

/** While a component shows a board of this game, the game is needed: it is fetched if it is not here yet. */
export function needGame(name: () => string | undefined): void {
  $effect(() => {
    const wanted = name();
    if (wanted !== undefined) void shelf.load(wanted);
  });
}
