"""The course of one action: what it does, and all that follows by itself until somebody has to choose.

A `Course` is a position that is being changed. It gathers the history and what has changed, and becomes an event;
the position it began with stays as it was. The action must have been checked (`gamut.games.acquire.checks`).
"""

from gamut.games.acquire.actions import (
    Action,
    DisposeOfShares,
    PlayTile,
    PurchaseShares,
    SelectChainToDisposeOfNext,
    SelectMergerSurvivor,
    SelectNewChain,
)
from gamut.games.acquire.bag import Draw, emptied, without
from gamut.games.acquire.board import (
    ALONE,
    DEAD,
    EMPTY,
    LARGE,
    LETTERS,
    PRICES,
    RACK,
    SAFE,
    alone_around,
    painted,
)
from gamut.games.acquire.kinds import FORMS, LONELY, MERGES, NEVER, chains_around, has_playable, kind_of
from gamut.games.acquire.scores import bonuses
from gamut.games.acquire.state import AcquireState, Acted, Awaited, Ending, Message
from gamut.games.game import Seat

_CHAINS = range(len(LETTERS))


class Course:
    __slots__ = (
        "available",
        "board",
        "cash",
        "changed",
        "draw",
        "history",
        "idle",
        "merger",
        "next",
        "paid",
        "played",
        "racks",
        "rest",
        "shares",
        "sizes",
        "state",
        "turn",
        "unseen",
    )

    def __init__(self, state: AcquireState, draw: Draw) -> None:
        self.state = state
        self.draw = draw
        self.turn = state.next.turn
        self.idle = state.next.idle
        self.board = state.board
        self.changed: list[int] = []
        """Tiles whose cells are not what they were."""
        self.sizes = state.sizes
        self.available = state.available
        self.cash = list(state.cash)
        self.shares = list(state.shares)
        self.paid: set[Seat] = set()
        """Whose cash or shares are not what they were."""
        self.racks: dict[Seat, list[int | None]] = {}
        """Of those who drew."""
        self.played: int | None = None
        self.unseen = state.unseen
        self.merger = state.next.survivor is not None
        """Swallowed chains still have their size."""
        self.history: list[Message] = []
        self.next = state.next
        self.rest: tuple[int, ...] = ()

    def run(self, seat: Seat, action: Action, *, auto: bool = False) -> Acted:
        if type(action) is PlayTile:
            self._play(seat, action.tile)
        elif type(action) is PurchaseShares:
            self._buy(seat, action.chains, end=action.end)
        else:
            self._choose(seat, action)
        return self._event(seat, action, auto)

    def _choose(self, seat: Seat, action: Action) -> None:
        match action:
            case SelectNewChain(chain=chain):
                assert self.next.tile is not None
                self._form(seat, chain, self.next.tile)
            case SelectMergerSurvivor(chain=chain):
                self.history.append(("SelectedMergerSurvivor", seat, chain))
                assert self.next.tile is not None
                self._merge(chain, self.next.merging, self.next.tile)
            case SelectChainToDisposeOfNext(chain=chain):
                self.history.append(("SelectedChainToDisposeOfNext", seat, chain))
                assert self.next.survivor is not None
                left = tuple(other for other in self.next.left if other != chain)
                self._dispose_all(self.next.survivor, chain, left)
            case DisposeOfShares(trade=trade, sell=sell):
                self._dispose(seat, trade, sell)

    def _event(self, seat: Seat, action: Action, auto: bool) -> Acted:
        state = self.state
        cells = sorted([(tile, self.board[tile]) for tile in self.changed]) if self.changed else ()
        paid = sorted(self.paid) if self.paid else ()
        bag = len(self.unseen)
        return Acted(
            seat,
            action,
            tuple(self.history),
            self.next,
            auto,
            tuple(cells),
            tuple([(player, self.shares[player], self.cash[player]) for player in paid]) if paid else (),
            () if self.sizes is state.sizes else self.sizes,
            () if self.available is state.available else self.available,
            tuple((player, tuple(rack)) for player, rack in self.racks.items()) if self.racks else (),
            None if bag == state.bag else bag,
            self.rest,
        )

    # Tiles and chains

    def _play(self, seat: Seat, tile: int) -> None:
        self.played = tile
        self.history.append(("PlayedTile", seat, tile))
        kind = kind_of(self.board, tile)
        if kind == LONELY:
            self._paint([tile], ALONE)
            self._buying(seat)
        elif kind == FORMS:
            free = tuple(chain for chain in _CHAINS if self.sizes[chain] == 0)
            if len(free) == 1:
                self._form(seat, free[0], tile)
            else:
                self._paint([tile], ALONE)
                self.next = Awaited(seat, "SelectNewChain", seat, self.idle, chains=free, tile=tile)
        elif kind == MERGES:
            self._touch(seat, tile)
        else:
            chain = LETTERS.index(kind)
            self._paint(alone_around(self.board, tile), kind)
            self._resize(chain)
            self._buying(seat)

    def _paint(self, tiles: list[int], cell: str) -> None:
        self.board = painted(self.board, tiles, cell)
        self.changed += tiles

    def _resize(self, chain: int) -> None:
        self._set_size(chain, self.board.count(LETTERS[chain]))

    def _set_size(self, chain: int, size: int) -> None:
        self.sizes = (*self.sizes[:chain], size, *self.sizes[chain + 1 :])

    def _form(self, seat: Seat, chain: int, tile: int) -> None:
        self._paint(alone_around(self.board, tile), LETTERS[chain])
        self._resize(chain)
        self.history.append(("FormedChain", seat, chain))
        if self.available[chain] > 0:
            self._trade_with_bank(seat, chain, 1)
        self._buying(seat)

    # Mergers

    def _touch(self, seat: Seat, tile: int) -> None:
        merging = tuple(chains_around(self.board, tile))
        self.history.append(("MergedChains", seat, merging))
        largest = max(self.sizes[chain] for chain in merging)
        tied = tuple(chain for chain in merging if self.sizes[chain] == largest)
        if len(tied) == 1:
            self._merge(tied[0], merging, tile)
        else:
            self._paint([tile], ALONE)
            self.next = Awaited(
                seat, "SelectMergerSurvivor", seat, self.idle, chains=tied, tile=tile, merging=merging
            )

    def _merge(self, survivor: int, merging: tuple[int, ...], tile: int) -> None:
        swallowed = tuple(chain for chain in merging if chain != survivor)
        letter, gone = LETTERS[survivor], [LETTERS[chain] for chain in swallowed]
        tiles = alone_around(self.board, tile)
        tiles += [place for place, cell in enumerate(self.board) if cell in gone]
        self._paint(tiles, letter)
        prices = [PRICES[chain][self.sizes[chain]] for chain in swallowed]
        self._resize(survivor)
        self.merger = True
        for chain, price in zip(swallowed, prices, strict=True):
            for seat, bonus in bonuses([held[chain] for held in self.shares], price):
                self.cash[seat] += bonus
                self.paid.add(Seat(seat))
                self.history.append(("ReceivedBonus", seat, chain, bonus))
        self._dispose_next(survivor, swallowed)

    def _dispose_next(self, survivor: int, left: tuple[int, ...]) -> None:
        """The largest of the swallowed chains that are left comes next; among equals the turn player chooses."""
        if not left:
            self._buying(self.turn)
            return
        largest = max(self.sizes[chain] for chain in left)
        group = tuple(chain for chain in left if self.sizes[chain] == largest)
        if len(group) > 1:
            self.next = Awaited(
                self.turn,
                "SelectChainToDisposeOfNext",
                self.turn,
                self.idle,
                chains=group,
                survivor=survivor,
                left=left,
            )
            return
        self._dispose_all(survivor, group[0], tuple(chain for chain in left if chain != group[0]))

    def _dispose_all(self, survivor: int, defunct: int, left: tuple[int, ...]) -> None:
        """Everybody who holds shares of the chain is asked, beginning with the turn player."""
        seats = len(self.shares)
        around = [Seat((self.turn + step) % seats) for step in range(seats)]
        self._ask(survivor, defunct, left, tuple(seat for seat in around if self.shares[seat][defunct]))

    def _ask(self, survivor: int, defunct: int, left: tuple[int, ...], queue: tuple[Seat, ...]) -> None:
        if not queue:
            self._dispose_next(survivor, left)
            return
        self.next = Awaited(
            queue[0],
            "DisposeOfShares",
            self.turn,
            self.idle,
            survivor=survivor,
            defunct=defunct,
            left=left,
            queue=queue[1:],
        )

    def _dispose(self, seat: Seat, trade: int, sell: int) -> None:
        survivor, defunct = self.next.survivor, self.next.defunct
        assert survivor is not None
        assert defunct is not None
        self.history.append(("DisposedOfShares", seat, defunct, trade, sell))
        if trade or sell:
            self.cash[seat] += sell * PRICES[defunct][self.sizes[defunct]]
            self._trade_with_bank(seat, defunct, -trade - sell)
            self._trade_with_bank(seat, survivor, trade // 2)
        self._ask(survivor, defunct, self.next.left, self.next.queue)

    # Shares

    def _trade_with_bank(self, seat: Seat, chain: int, count: int) -> None:
        self.paid.add(seat)
        held = self.shares[seat]
        self.shares[seat] = (*held[:chain], held[chain] + count, *held[chain + 1 :])
        left = self.available
        self.available = (*left[:chain], left[chain] - count, *left[chain + 1 :])

    def _buying(self, seat: Seat) -> None:
        """The purchase step begins, and where there is nothing to choose the turn goes on."""
        if not self._waits_for_purchase(seat):
            self._turns_go_on(seat, None)

    def _waits_for_purchase(self, seat: Seat) -> bool:
        if self.merger:
            self.merger = False
            for chain in _CHAINS:
                if self.sizes[chain] and LETTERS[chain] not in self.board:
                    self._set_size(chain, 0)
        can_end, cheapest = self._can_end(), self._cheapest()
        if can_end or (cheapest is not None and cheapest <= self.cash[seat]):
            self.next = Awaited(seat, "PurchaseShares", seat, self.idle, can_end=can_end)
            return True
        if cheapest is not None:
            self.history.append(("CouldNotAffordAnyShares", seat))
        return False

    def _cheapest(self) -> int | None:
        """The lowest price of a share that is to be had; None if there are none."""
        left = self.available
        return min(
            [PRICES[chain][size] for chain, size in enumerate(self.sizes) if size and left[chain]],
            default=None,
        )

    def _can_end(self) -> bool:
        largest = max(self.sizes)
        if largest < SAFE:
            return False
        return largest >= LARGE or all(size >= SAFE for size in self.sizes if size)

    def _buy(self, seat: Seat, chains: tuple[int, ...], *, end: bool) -> None:
        if chains:
            self._take_shares(seat, chains)
        cheapest = None if chains else self._cheapest()
        if cheapest is not None and cheapest > self.cash[seat]:
            self.history.append(("CouldNotAffordAnyShares", seat))
        else:
            bought = tuple([(chain, chains.count(chain)) for chain in sorted(set(chains))])
            self.history.append(("PurchasedShares", seat, bought))
        self._turns_go_on(seat, "EndedGame" if end and self.next.can_end else None)

    def _take_shares(self, seat: Seat, chains: tuple[int, ...]) -> None:
        held, left = list(self.shares[seat]), list(self.available)
        sizes, cost = self.sizes, 0
        for chain in chains:
            held[chain] += 1
            left[chain] -= 1
            cost += PRICES[chain][sizes[chain]]
        self.cash[seat] -= cost
        self.shares[seat], self.available = tuple(held), tuple(left)
        self.paid.add(seat)

    # Turns

    def _turns_go_on(self, seat: Seat, wish: Ending | None) -> None:
        """This turn ends, and others begin and end until there is something to choose, or the game is over."""
        while True:
            ending = wish or self._ending_before_draw()
            if ending is None:
                self._draw(seat)
                self._lay_dead_tiles_aside(seat)
                if EMPTY not in self.board:
                    ending = "AllTilesPlayed"
            if ending is not None:
                self._end(seat, ending)
                return
            seat = self.turn = Seat((seat + 1) % len(self.shares))
            self.history.append(("TurnBegan", seat))
            if self._can_play(seat):
                self.idle = 0
                self.next = Awaited(seat, "PlayTile", seat)
                return
            self.idle += 1
            self.history.append(("HasNoPlayableTile", seat))
            if self._waits_for_purchase(seat):
                return

    def _ending_before_draw(self) -> Ending | None:
        if EMPTY not in self.board:
            return "AllTilesPlayed"
        return "NoTilesPlayedForEntireRound" if self.idle == len(self.shares) else None

    def _end(self, seat: Seat, ending: Ending) -> None:
        self.history.append((ending, seat) if ending == "EndedGame" else (ending,))
        self.next = Awaited(seat, "GameOver", seat, self.idle, ending=ending)
        self.rest = emptied(self.unseen, self.draw)

    def _rack(self, seat: Seat) -> list[int | None]:
        """The rack as it is now, to be changed."""
        rack = self.racks.get(seat)
        if rack is None:
            rack = list(self.state.racks[seat])
            if self.played in rack:
                rack[rack.index(self.played)] = None
        return rack

    def _draw(self, seat: Seat) -> None:
        rack = self._rack(seat)
        unseen = self.unseen
        while unseen and None in rack:
            tile = self.draw(unseen)
            unseen = without(unseen, tile)
            rack[rack.index(None)] = tile
            self.racks[seat] = rack
            self.history.append(("DrewTile", seat, tile))
            if not unseen:
                self.history.append(("DrewLastTile", seat))
        self.unseen = unseen

    def _lay_dead_tiles_aside(self, seat: Seat) -> None:
        if not self._two_are_safe():
            return  # a tile is dead only between two of them
        while True:
            rack = self._rack(seat)
            for slot in range(RACK):
                tile = rack[slot]
                if tile is not None and kind_of(self.board, tile) == NEVER:
                    break
            else:
                return
            rack[slot] = None
            self.racks[seat] = rack
            self._paint([tile], DEAD)
            self.history.append(("ReplacedDeadTile", seat, tile))
            self._draw(seat)

    def _can_play(self, seat: Seat) -> bool:
        acted = seat == self.state.next.turn or seat in self.racks
        rack = self._rack(seat) if acted else self.state.racks[seat]
        if 0 in self.sizes and not self._two_are_safe():
            return rack.count(None) < RACK  # a chain is free and no tile can be dead: any will do
        return has_playable(self.board, rack)

    def _two_are_safe(self) -> bool:
        return sorted(self.sizes)[-2] >= SAFE
