/** The few words of Tafl that lists of tables need. */
export const faceWords = {
  title: "Tafl",
  summary: "A king and his few against many: bring him to safety, or catch him.",
  seats: ["Attackers", "Defenders"],
  goesOn: "goes on",
  quirks: "as OpenTafl plays",
  download: "Download .otg",
};
