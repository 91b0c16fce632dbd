/** The few words of Power Chess that lists of tables need. */
export const faceWords = {
  noBoxes: "no boxes",
  download: "Download .pgn",
};
