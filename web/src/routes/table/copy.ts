import { copying } from "../../lib/copying.svelte.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";
import { invitationTo } from "./links.ts";

/** On phones the system's own sharing, elsewhere the clipboard. */
export async function copyInvitation(at: AtTable): Promise<void> {
  const url = invitationTo(at);
  if (matchMedia("(pointer: coarse)").matches && "share" in navigator) {
    try {
      await navigator.share({ title: texts.title, text: at.traits?.title ?? "", url });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copying.copy(url);
}
