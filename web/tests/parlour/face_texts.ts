export const faceWords = {
  title: "Parlour",
  summary: "Lay a card face down; the highest takes the point or trades.",
};
