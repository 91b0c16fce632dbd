/** The few words of Power Chess that lists of tables need. */
export const faceWords = {
  title: "Power Chess",
  summary: "Chess with boxes on the board: take one, choose a power, and catch the king.",
  seats: ["White", "Black"],
  noBoxes: "no boxes",
  download: "Download .pgn",
};
