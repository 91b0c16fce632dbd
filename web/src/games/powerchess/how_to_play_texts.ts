export const rulesWords = {
  shortRules: [
    "Pieces move as in chess. There is no check: take the other's king, and you have won.",
    "Every two to four moves a box comes onto the middle of the board. Land on it, and choose one of two powers.",
    "You must use one of them at once. Your opponent sees which one you used, and never the other.",
    "Blue-grey boxes are common, violet ones rare, golden ones legendary.",
  ],
  pictures: {
    boxes: "Any piece that lands on a box takes it; one that only passes over it does not. Pawns also take boxes diagonally.",
    shield: "A ring: the piece cannot be captured. Each stroke of it is a move of either side that is left.",
    energized: "Chevrons: energized pawns go any distance along their files, forward and back. The ladder beside them counts down.",
    awake: "A glow: an awakened piece, here a pawn, acts as a queen. What it really is stands beside it.",
    net: "A dotted circle: a safety net. The rook takes the bishop's place, and the bishop goes home unharmed.",
    hole: "A black hole: nothing lands there. The rook still takes the knight behind it, as pieces pass over holes and boxes.",
  },
  fullRules: [
    "Kings may move into attack, stand beside each other, and are captured like any other piece. Whoever has several kings loses with the last of them. If the last kings of both sides go at once, it is a draw.",
    "Pawns go two squares from their second rank, however they came there. They take boxes straight ahead and diagonally. En passant is possible with the very next move, but not by a Second Effort.",
    "Castling asks that king and rook have never moved, nothing stands between them, and no box or hole is where they land. Attacks do not matter.",
    "Boxes come onto the third to the sixth rank, more often in the middle. Of a hundred, 70 are common, 25 rare and 5 legendary. You are offered two different powers, out of those that could be used.",
    "This piece is the one that took the box. Whatever lasts is counted in moves of either side, goes where its piece goes, and starts anew if you use the same power again. While you use a power nothing is counted down.",
    "What is invulnerable can be neither captured nor destroyed. It can be sent away, swapped and taken back.",
    "Where a piece goes to a first rank, chance draws one of the free squares there. If there is none, a net does not save, a clone does not come, and nobody can be sent away.",
    "For an Eye for an Eye pawns count 1, knights and bishops 3, rooks 5, queens 9 and kings 10. What is destroyed is not captured, and cannot be reanimated.",
    "Whoever has no move at all draws. Nothing is drawn by repetition. If you offer a draw, the offer stands until your opponent moves.",
    "Point at a square, or keep a finger on it, to read what lies there and how long it lasts. If your clock runs out, you have lost; a move and a power each add the seconds of your clock.",
  ],
};
