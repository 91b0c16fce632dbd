import { toasts } from "./toasts.svelte.ts";

/** Do something that may be refused; if it is, say why. */
export async function doing(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toasts.explain(error);
    return false;
  }
}
