import { texts } from "../texts/index.ts";
import { toasts } from "./toasts.svelte.ts";

/** Copying a link, by whatever way this browser has. */
class Copying {
  /** The link that nothing could copy: it is shown, for the person to do so. */
  link: string | null = $state(null);

  async copy(link: string): Promise<void> {
    if ((await toClipboard(link)) || bySelection(link)) toasts.say(texts.table.copied);
    else this.link = link;
  }
}

async function toClipboard(text: string): Promise<boolean> {
  // It exists only where the page came over https or from this machine.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    // Not allowed here: there is another way.
    return false;
  }
}

/** As people do it: select the text and copy what is selected. */
function bySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "unseen";
  // Beside an open dialog nothing can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.setSelectionRange(0, text.length);
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}

export const copying = new Copying();
