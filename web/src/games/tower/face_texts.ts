/** The few words of Tower that lists of tables need. */
export const faceWords = {
  title: "Tower",
  summary: "Three players, three rings of eight tiles: three marks in a line win.",
};
