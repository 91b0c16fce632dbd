import { toasts } from "../../lib/toasts.svelte.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.say(texts.table.copied);
  } catch {
    toasts.say(texts.table.copyFailed, true);
  }
}

/** On phones the system's own sharing, elsewhere the clipboard. */
export async function copyInvitation(at: AtTable): Promise<void> {
  const url = at.invitation();
  if (matchMedia("(pointer: coarse)").matches && "share" in navigator) {
    try {
      await navigator.share({ title: texts.title, text: at.traits?.title ?? "", url });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copy(url);
}
