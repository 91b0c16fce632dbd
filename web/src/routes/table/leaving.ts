import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";

/** What to ask before somebody leaves; null if nothing is lost by it. */
export function leavingQuestion(at: AtTable): string | null {
  const phase = at.table?.phase;
  if (phase !== "playing" && phase !== "paused") return null;
  return at.traits?.leaver === "quits" ? texts.table.leaveQuits : texts.table.leaveSure;
}
