"""What a gateway is sent ends at a *point*, from which another owner can go on.

A point is told with all that a batch of the journal says: of each connection its packed session and how many of its
frames are dealt with, and of each table up to which event those who are there have been told. So a frame that is not
dealt with at any such point has changed nothing at a table whose events were all told.

It is sent when the batch is closed, and so before the batch is stored: the gateway holds it, and lets it out when it is
told that the batch is stored, by this owner or, if this one is gone, by the next. So nobody is in the middle of
something when an owner dies: either all of it was stored, and is told, or nothing of it has happened.
"""

from collections.abc import Callable, Iterable, Mapping

from gamut.cluster.distant_wire import DistantWire
from gamut.cluster.messages import Mark
from gamut.cluster.peer import Peer
from gamut.hall.hall import Hall
from gamut.hall.ids import TableId
from gamut.hall.lobby.talk import TALK
from gamut.hall.store.journal import Batch, Wire


def _nothing() -> None:
    """Has a batch be closed in which nothing else waits."""


class Points:
    def __init__(
        self,
        hall: Hall,
        peers: Mapping[int, Peer],
        soon: Callable[[Callable[[], None]], None],
        stored: Callable[[], int],
    ) -> None:
        """`peers`: by the number of the link. `stored`: how many batches of this node are."""
        self._hall = hall
        self._journal = hall.journal
        self._peers = peers
        self._soon = soon
        self._stored = stored
        self._touched: dict[DistantWire, None] = {}
        self._followers: dict[TableId, dict[DistantWire, None]] = {}
        """Connections that are at each table, as far as their gateways know."""
        self._to_be_known: list[DistantWire] = []
        """Those of which the gateway is told that they follow another table."""
        self._will_be_closed = False
        """The open batch will be closed, whether or not anything is stored with it."""
        self._flushing = False
        self._journal.on_closed = self._closed

    def touched(self, wire: DistantWire) -> None:
        """Something that this client said was dealt with, or something was said to it."""
        self._touched[wire] = None
        self.flush_soon()

    def gone(self, wire: DistantWire) -> None:
        self._touched.pop(wire, None)
        self._follow(wire, wire.tables, ())

    def flush_soon(self) -> None:
        if not self._flushing:
            self._flushing = True
            self._soon(self.flush)

    def flush(self) -> None:
        """At the end of a turn. If nothing waits to be stored, this is a point; else the next batch ends at one."""
        self._flushing = False
        if not self._journal.busy:
            self._look(())
            for peer in self._peers.values():
                peer.complete()
        elif self._touched and not self._will_be_closed:
            self._will_be_closed = True
            self._journal.after(_nothing)
        for peer in tuple(self._peers.values()):
            peer.flush()
        self._ask_whether_known()

    def _closed(self, batch: Batch) -> None:
        """What there is to know is as of now: when the batch is stored, more has happened."""
        self._will_be_closed = False
        self._take_over(batch)
        self._look(dict.fromkeys([row.table for row in batch.rows]))
        number = self._stored() + 1 if batch.rows else None
        told = [peer for peer in self._peers.values() if peer.complete()]
        for peer in told:
            peer.flush(number)
        self._ask_whether_known()
        if number is not None and told:
            batch.afterwards.append(lambda: self._let_out(told, number))

    def _ask_whether_known(self) -> None:
        for wire in self._to_be_known:
            wire.peer.ask_whether_known(wire.number)
        self._to_be_known.clear()

    def _let_out(self, told: Iterable[Peer], number: int) -> None:
        for peer in told:
            peer.let_out(number)
        self.flush_soon()

    def _take_over(self, batch: Batch) -> None:
        """What is to be said to those at gateways goes there now, and not when the batch is let out."""
        touched = self._touched
        said: list[tuple[Wire | tuple[Wire, ...], list[bytes]]] = []
        for to, pieces in batch.said:
            if type(to) is tuple:
                data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
                here: list[Wire] = []
                for wire in to:
                    if type(wire) is DistantWire:
                        wire.say(data)
                        touched[wire] = None
                    else:
                        here.append(wire)
                if here:
                    said.append((tuple(here), pieces))
            elif type(to) is DistantWire:
                data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
                to.pending -= len(data)
                to.say(data)
                touched[to] = None
            else:
                said.append((to, pieces))
        batch.said = said
        closings, batch.closings = batch.closings, []
        for wire, code, reason in closings:
            if type(wire) is DistantWire:
                wire.close(code, reason)
            else:
                batch.closings.append((wire, code, reason))

    def _look(self, tables: Iterable[TableId]) -> None:
        """See what gateways do not know yet. At these tables something has happened."""
        here, touched = self._hall.here, self._touched
        marks: dict[tuple[Peer, TableId], None] = {}
        for table in tables:
            if table == TALK:
                for peer in self._peers.values():
                    if peer.stage == "open":
                        peer.tell(Mark(TALK, self._hall.lobby.talk.seq))
                continue
            for wire in self._followers.get(table, ()):
                # It may have left, or gone on to another table, without a word to its client.
                touched[wire] = None
                marks[wire.peer, table] = None
        self._touched = {}
        for wire in touched:
            before = wire.tables
            news = wire.news()
            if not news:
                continue
            wire.peer.tell(*news)
            if wire.has_gone_elsewhere:
                self._follow(wire, before, ())
                continue
            if wire.is_to_be_known:
                wire.is_to_be_known = False
                self._to_be_known.append(wire)
            if wire.tables != before:
                self._follow(wire, before, wire.tables)
                marks.update(dict.fromkeys((wire.peer, table) for table in wire.tables))
        for peer, table in marks:
            live = here(table)
            if live is not None:
                peer.tell(Mark(table, live.table.seq))

    def _follow(self, wire: DistantWire, before: Iterable[TableId], now: Iterable[TableId]) -> None:
        for table in before:
            followers = self._followers.get(table, {})
            followers.pop(wire, None)
            if not followers:
                self._followers.pop(table, None)
        for table in now:
            self._followers.setdefault(table, {})[wire] = None
