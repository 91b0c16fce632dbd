import { route } from "../../lib/route.ts";
import { router } from "../../lib/router.svelte.ts";
import type { AtTable } from "./at_table.svelte.ts";
import { pathTo } from "./links.ts";

/** What stands in the address bar is what others can be sent, and what a reload comes back by: with the key, if need be. */
export function keepAddress(at: AtTable): void {
  $effect(() => {
    const here = route(router.path);
    if (at.table === null || here.page !== "table" || here.table !== at.store.id) return;
    router.go(pathTo(at, here.table, here.position), "replace");
  });
}
