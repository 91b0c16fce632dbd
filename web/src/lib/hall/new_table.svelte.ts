import { router } from "../router.svelte.ts";

/** A table that somebody wishes for, wherever on the page they are: the lobby asks for the rest. */
class NewTable {
  wished: { game: string; options: Record<string, unknown> } | null = $state.raw(null);

  wish(game: string, options: Record<string, unknown>): void {
    this.wished = { game, options };
    router.go("/");
  }
}

export const newTable = new NewTable();
