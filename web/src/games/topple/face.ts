import { same } from "../../lib/same.ts";
import type { GameFace } from "../card.ts";
import { faceWords as words } from "./face_texts.ts";
import type { ToppleState } from "./rules.ts";
import SeatSign from "./SeatSign.svelte";
import { chosenTeam } from "./teams.ts";

export const face: GameFace<ToppleState> = {
  title: words.title,
  summary: words.summary,
  SeatSign,
  colour: (seat, options, state) => (state?.setup.teams[seat] || chosenTeam(seat, options)) - 1,
  gist: ({ x, y, topology, scoring, teams }) => {
    const preset = words.teams.find(({ value }) => same(value, teams));
    return [
      `${String(x)}x${String(y)}`,
      ...(topology === "grid" ? [] : [words.joined[String(topology)] ?? ""]),
      ...(scoring === "elim" ? [] : [words.scored[String(scoring)] ?? ""]),
      ...(Array.isArray(teams) && teams.length > 0 ? [preset?.listed ?? words.inTeams] : []),
    ];
  },
  files: {
    endings: [".topl", ".stpl"],
    read: "/api/topple/files",
    resume: "/api/topple/tables",
    finished: { name: "replay.topl", text: words.download },
    suspended: { name: "suspended.stpl", text: words.downloadSuspended },
  },
};
