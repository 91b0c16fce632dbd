export interface Mode {
  seats: number;
  /** As many as seats where everybody plays alone. */
  teams: number;
}

/** The nine modes, by the names that the server gives them. */
export const MODES: Readonly<Record<string, Mode>> = {
  singles_1: { seats: 1, teams: 1 },
  singles_2: { seats: 2, teams: 2 },
  singles_3: { seats: 3, teams: 3 },
  singles_4: { seats: 4, teams: 4 },
  singles_5: { seats: 5, teams: 5 },
  singles_6: { seats: 6, teams: 6 },
  teams_2_vs_2: { seats: 4, teams: 2 },
  teams_2_vs_2_vs_2: { seats: 6, teams: 3 },
  teams_3_vs_3: { seats: 6, teams: 2 },
};

export const isTeamMode = (mode: string): boolean => {
  const found = MODES[mode];
  return found !== undefined && found.teams < found.seats;
};

export const orders = (mode: string): string[] => (isTeamMode(mode) ? ["random", "exact", "teams"] : ["random", "exact"]);
