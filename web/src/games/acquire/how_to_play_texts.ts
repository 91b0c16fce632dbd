export const rulesWords = {
  shortRules: [
    "Play a tile from your rack. Two that touch found a hotel chain, and you get a share of it for nothing.",
    "Then buy up to three shares. The larger a chain, the dearer.",
    "A tile between two chains merges them: the larger one swallows the smaller, whose two largest shareholders get a bonus.",
    "When the game ends, whoever is worth the most wins.",
  ],
  pictures: {
    tiles: "Single tiles are houses. Your own six lie below the board, and where they would come is marked on it.",
    found: "A tile beside a lone one founds a chain. Whoever played it chooses which: here it is Luxor.",
    merge: "A tile between Luxor and Imperial merges them. Imperial is larger and swallows Luxor.",
    safe: "Two chains with a lock have eleven tiles or more: they are safe. What lies between them can never be played.",
  },
  fullRules: [
    "Each player begins with $6,000 and six tiles. In your turn you play one tile, buy at most three shares, and draw a tile. Whoever can play none of their tiles still buys.",
    "Of each chain there are 25 shares. Luxor and Tower are the cheapest; American, Festival and Worldwide cost $100 more; Continental and Imperial $200 more. A share of a chain of two costs $200 to $400; the price grows with the chain, up to 41 tiles.",
    "In a merger the largest chain survives; if several are equally large, whoever played the tile chooses. The largest shareholder of each swallowed chain gets ten times its price, the second largest five times. Equals share: if several are first, both bonuses go to them. If only one holds shares, both bonuses are theirs.",
    "Then everybody who holds shares of the swallowed chain, beginning with whoever played the tile, trades them two for one of the survivor, sells them at the old price, or keeps them: the chain may be founded again.",
    "A chain of eleven tiles is safe and is never swallowed. A tile that would merge two safe chains is dead: it is laid aside at the end of its owner's turn and replaced. While all seven chains are on the board, no tile can found another.",
    "Whoever buys may end the game if a chain has 41 tiles, or if every chain on the board is safe. It also ends when all tiles are played, or when nobody could play one for a whole round. Then cash, shares and the bonuses of every chain are added up.",
    "In teams, what the partners are worth is added up. They do not see each other's tiles, and take turns with the others.",
    "If your clock runs out, the server acts for you that once: it plays your first tile, chooses the first chain, keeps shares and buys nothing. Whoever leaves a running game forfeits it, and the server acts for them until the end.",
    "A finished game can be had as a file, and reviewed from it: drop it anywhere on this page, or paste it.",
  ],
  advice:
    "Being second is worth half of being first; being third is worth nothing. Found chains early, and keep enough cash for the merger that you can see coming.",
};
