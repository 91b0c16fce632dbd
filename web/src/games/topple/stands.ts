import type { Share } from "../stands.ts";
import type { ToppleState } from "./rules.ts";
import { words } from "./texts.ts";

/** Territory, or points where those decide. */
export function shares({ setup, owned, scores }: ToppleState): Share[] {
  const teams = [...new Set(setup.teams)].filter((team) => team > 0);
  const points = setup.scoring !== "elim";
  const found: Share[] = teams.map((team) => {
    const share = (points ? scores[team] : owned[team]) ?? 0;
    const seats = setup.teams.flatMap((other, seat) => (other === team ? [seat] : []));
    return { seats, share, words: points ? words.points(share) : words.tiles(share) };
  });
  return points ? found : [...found, { seats: [], share: owned[0] ?? 0, words: words.tiles(owned[0] ?? 0) }];
}
