import { guestNames } from "../../texts/guest_names.ts";

/** Two friendly words; the server adds a number if those are taken. */
export function guestName(random: () => number): string {
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? "";
  return `${pick(guestNames.first)} ${pick(guestNames.second)}`;
}
