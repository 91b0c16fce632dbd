import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";

export function resigningQuestion(at: AtTable): string {
  return at.game?.questions?.resign ?? texts.table.resignSure;
}

/** What to ask before somebody leaves; null if nothing is lost by it. */
export function leavingQuestion(at: AtTable): string | null {
  const phase = at.table?.phase;
  if (phase !== "playing" && phase !== "paused") return null;
  if (at.game?.questions !== undefined) return at.game.questions.leave;
  return at.traits?.leaver === "quits" ? texts.table.leaveQuits : texts.table.leaveSure;
}
