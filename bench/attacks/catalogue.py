"""Every attack by name."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from bench.attacks.kinds import (
    acquire,
    bodies,
    bots,
    bus,
    crowds,
    endings,
    endless,
    erasing,
    framing,
    game_doors,
    gateways,
    mixed_endings,
    nothing,
    passwords,
    reading,
    room_lists,
    seating,
    second_thoughts,
    suspended,
    tafl_games,
    tafl_lines,
    talking,
    tokens,
    wings,
)
from bench.attacks.target import Target


class Attack(NamedTuple):
    run: Callable[[Target], Awaitable[None]]
    flags: tuple[str, ...] = ()
    """Of the server, beside what every attack has."""
    open_files: int | None = None
    """How many descriptors the server may have."""
    preparing: float = 60.0
    """Seconds in which the preparation must be done."""
    memory: int = 64 << 20
    """By how much the server may grow."""
    cluster: bool = False
    """Only a cluster has what it attacks."""
    wings: bool = False
    """Only a hall of several wings has."""
    harms: bool = False
    """It comes from inside the wall, or slows a wing down, and quiet people may feel it: nodes must live, or hand over,
    not grow, and serve afterwards."""
    past: Callable[[Path], None] | None = None
    """Fills the data folder before the server starts."""

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def about(self) -> str:
        return (self.run.__doc__ or "").strip().partition("\n")[0]


_FEW_FILES = 1500
_HASHING = 64 + 2 * 19 << 20
"""A password takes 19 MiB while it is hashed, and two are at a time."""
_SOON_GIVEN_UP = ("--topple-rejoin", "0.5")

_ALL = (
    Attack(nothing.nothing),
    # Frames
    Attack(framing.pings),
    Attack(framing.long_pings),
    Attack(framing.pongs),
    Attack(framing.empty_texts),
    Attack(framing.empty_texts_at_the_tower_port),
    Attack(framing.empty_continuations),
    Attack(framing.one_byte_fragments),
    Attack(framing.garbage_frames),
    Attack(framing.garbage_json),
    Attack(framing.deep_json),
    # Talk
    Attack(talking.talk_then_watch),
    Attack(talking.return_after_talk),
    Attack(talking.lobby_talk_and_deletion, memory=_HASHING),
    # Suspended games
    Attack(suspended.crafted_open),
    Attack(suspended.crafted_open_refused),
    Attack(suspended.crafted_configure),
    Attack(suspended.crafted_files),
    Attack(suspended.long_options_in_the_lobby),
    Attack(suspended.open_and_leave),
    # Tafl: rules, games and passwords that are made to be costly
    Attack(tafl_games.own_rules_in_turn, preparing=150.0),
    Attack(tafl_games.old_games_in_turn, preparing=150.0),
    Attack(tafl_games.long_histories, preparing=90.0),
    Attack(tafl_games.long_table_passwords),
    # HTTP
    Attack(bodies.gzip_bombs),
    Attack(bodies.deflate_bombs),
    Attack(bodies.large_bodies),
    Attack(bodies.tiny_chunks),
    Attack(bodies.slow_headers),
    Attack(bodies.slow_bodies),
    Attack(bodies.endless_header),
    Attack(bodies.many_headers),
    Attack(bodies.long_addresses),
    Attack(bodies.pipelining),
    Attack(bodies.unread_answers),
    Attack(bodies.wrong_methods),
    # Reading
    Attack(reading.legal_moves),
    Attack(reading.pictures),
    Attack(reading.glances, past=reading.past),
    Attack(reading.old_logs, past=reading.past),
    Attack(reading.long_logs),
    Attack(reading.finished_of_no_game, past=reading.past),
    Attack(reading.open_lists, past=reading.past),
    Attack(reading.lobby_on_and_off, past=reading.past),
    Attack(reading.downloads),
    Attack(room_lists.room_filters, past=room_lists.past),
    Attack(room_lists.game_list_on_and_off, past=room_lists.past),
    Attack(room_lists.wrong_time),
    Attack(acquire.acquire_lobby, past=acquire.past),
    # Crowds
    Attack(crowds.one_byte_each, open_files=_FEW_FILES),
    Attack(crowds.one_byte_each_at_the_tower_port, open_files=_FEW_FILES),
    Attack(crowds.silent_sockets, open_files=_FEW_FILES),
    Attack(crowds.come_and_go),
    Attack(crowds.handshakes),
    Attack(crowds.slow_readers),
    Attack(crowds.many_guests),
    Attack(crowds.many_guests_by_http),
    Attack(crowds.watchers_come_and_go),
    Attack(crowds.lobby_crowd),
    # Passwords and sessions
    Attack(passwords.strangers_log_in, memory=_HASHING),
    Attack(passwords.hashing, memory=_HASHING),
    Attack(passwords.registrations, memory=_HASHING),
    Attack(passwords.refused_opens_with_passwords),
    Attack(passwords.locked_tables),
    Attack(passwords.guessed_table_passwords),
    Attack(tokens.made_up_tokens),
    # Endings
    Attack(endings.all_leave_at_the_end),
    Attack(endings.pairs_leave_at_the_end),
    Attack(endings.tower_rooms_end),
    Attack(endings.mixed_rooms_end),
    Attack(endings.topple_clients_drop, flags=_SOON_GIVEN_UP),
    Attack(endings.rematch_storm),
    Attack(endings.exports_and_returns),
    # Back and forth
    Attack(seating.configure_back_and_forth),
    Attack(seating.ready_back_and_forth),
    Attack(seating.sit_and_leave),
    Attack(seating.pause_and_resume),
    Attack(seating.decorate_back_and_forth),
    Attack(seating.bots_sit_and_go),
    Attack(seating.new_names),
    Attack(second_thoughts.moves_taken_back),
    Attack(second_thoughts.new_names_of_accounts, memory=_HASHING),
    Attack(second_thoughts.retraced_questions),
    Attack(seating.tower_rooms),
    Attack(seating.topple_rooms),
    Attack(seating.topple_flood, flags=_SOON_GIVEN_UP),
    # What could go on for ever
    Attack(endless.watch_and_unwatch),
    Attack(endless.reconnecting_players),
    Attack(endless.endless_tafl),
    # Bots
    Attack(bots.many_bots),
    Attack(bots.bots_on_large_boards),
    Attack(bots.bots_among_themselves),
    # Lines, at the door of Tafl
    Attack(tafl_lines.tafl_without_line_feeds),
    Attack(tafl_lines.tafl_binary),
    Attack(tafl_lines.tafl_empty_lines),
    Attack(tafl_lines.tafl_long_lines),
    Attack(tafl_lines.tafl_half_open, open_files=_FEW_FILES),
    Attack(tafl_lines.tafl_come_and_go),
    Attack(tafl_lines.tafl_log_ins, memory=_HASHING),
    Attack(tafl_lines.tafl_slow_readers),
    # The doors of Acquire and Power Chess
    Attack(game_doors.garbage_at_acquire),
    Attack(game_doors.garbage_at_power_chess),
    Attack(game_doors.games_that_nobody_joins),
    Attack(game_doors.acquire_log_ins, memory=_HASHING),
    Attack(game_doors.slow_readers_at_game_doors),
    # Ends at tables of two doors
    Attack(mixed_endings.mixed_tafl_games_end),
    Attack(mixed_endings.mixed_power_chess_games_end),
    Attack(mixed_endings.mixed_topple_games_end),
    Attack(mixed_endings.mixed_acquire_games_end),
    # Exports and deletions
    Attack(erasing.exports, preparing=90.0, memory=_HASHING),
    Attack(erasing.deletion, preparing=90.0, memory=_HASHING),
    # At a gateway
    Attack(gateways.passers_by, cluster=True),
    Attack(gateways.slow_readers_of_long_logs, cluster=True),
    Attack(gateways.pipelined_frames, cluster=True),
    Attack(gateways.http_at_the_gateway, cluster=True),
    # In all wings
    Attack(wings.watching_everywhere, wings=True),
    Attack(wings.tables_everywhere, wings=True),
    Attack(wings.there_and_back, wings=True),
    Attack(wings.frames_for_annexes, wings=True),
    Attack(wings.disguised_frames, wings=True),
    Attack(wings.disguised_frames_for_a_slow_wing, wings=True, harms=True),
    Attack(wings.names_everywhere, wings=True, memory=_HASHING),
    Attack(wings.erasures_in_a_slow_wing, wings=True, harms=True),
    Attack(wings.reading_elsewhere, wings=True),
    # On NATS
    Attack(bus.random_bytes_on_the_bus, cluster=True),
    Attack(bus.packets_again, cluster=True),
    Attack(bus.wrong_units, cluster=True),
    Attack(bus.made_up_gateways, cluster=True),
    Attack(bus.made_up_nodes, cluster=True),
    Attack(bus.made_up_owner, cluster=True, harms=True),
)

ATTACKS = {attack.name: attack for attack in _ALL}
