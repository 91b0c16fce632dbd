/** The few words of Tafl that lists of tables need. */
export const faceWords = {
  goesOn: "goes on",
  quirks: "as OpenTafl plays",
  download: "Download .otg",
};
