/** The few words of Topple that lists of tables need. */
export const faceWords = {
  title: "Topple",
  summary: "Pile up pieces: a tile that is too full topples and takes its neighbours. Own every tile.",
  joined: { hwrap: "sides joined", vwrap: "top and bottom joined", bwrap: "all edges joined" } as Record<string, string>,
  scoring: { elim: "Whoever is left", tile: "Points for tiles", piece: "Points for pieces" },
  scored: { tile: "points for tiles", piece: "points for pieces" } as Record<string, string>,
  teams: [
    { value: [], text: "None", listed: null },
    { value: [1, 2, 1, 2, 1, 2, 1, 2, 1, 2], text: "Two", listed: "two teams" },
    { value: [1, 2, 3, 1, 2, 3, 1, 2, 3, 1], text: "Three", listed: "three teams" },
  ],
  inTeams: "in teams",
  download: "Download .topl",
  downloadSuspended: "Download .stpl",
};
