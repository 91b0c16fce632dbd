import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";

export function resigningQuestion(at: AtTable): string {
  if (at.game?.questions !== undefined) return at.game.questions.resign;
  const others = (at.table?.seats ?? []).flatMap((holder, seat) => (holder === null || seat === at.seat ? [] : [holder.name]));
  return texts.table.resignSure(others);
}

/** What to ask before somebody leaves; null if nothing is lost by it. */
export function leavingQuestion(at: AtTable): string | null {
  const phase = at.table?.phase;
  if (phase !== "playing" && phase !== "paused") return null;
  if (at.game?.questions !== undefined) return at.game.questions.leave;
  return at.traits?.leaver === "quits" ? texts.table.leaveQuits : texts.table.leaveSure;
}
