const TEAMS: Record<string, string> = {
  teams_2_vs_2: "Teams 2 vs 2",
  teams_2_vs_2_vs_2: "Teams 2 vs 2 vs 2",
  teams_3_vs_3: "Teams 3 vs 3",
};

/** The few words of Acquire that lists of tables need. */
export const faceWords = {
  title: "Acquire",
  summary: "Found hotel chains, buy their shares, and be bought out at the right time.",
  seat: (seat: number) => `Player ${seat + 1}`,
  mode: (name: string) => TEAMS[name] ?? `Singles ${name.slice("singles_".length)}`,
  orders: { exact: "in the order of the seats", teams: "teams as they sit" } as Record<string, string>,
  download: "Download .acquire",
};
