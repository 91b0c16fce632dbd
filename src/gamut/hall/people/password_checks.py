"""Whether somebody knows the password of an account: how often it may be tried, and what that tells strangers.

Who comes in says the password, or a client sends its hash; both are checked against the same thing. An unknown name is
answered as a wrong password is, after the same work.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress

from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import is_loopback, site_key
from gamut.hall.limits.logins import Logins, Taken, give_back
from gamut.hall.names.person_names import NAME_LONGEST, name_key
from gamut.hall.people.changes import PeopleChanges
from gamut.hall.people.passwords import Busy, Passwords, Proof, decoy, is_hashed, proof_of, takes_hashes
from gamut.hall.people.person import (
    AccountsOnly,
    PasswordNeeded,
    PersonRow,
    UnknownPerson,
    WrongLogin,
    WrongPassword,
)
from gamut.hall.people.prehash import check_prehash
from gamut.hall.people.recognition import Recognition
from gamut.hall.people.roll import PeopleIndex
from gamut.hall.people.settings import PeopleSettings
from gamut.hall.people.tokens import Tokens


class PasswordChecks:
    def __init__(
        self,
        index: PeopleIndex,
        changes: PeopleChanges,
        passwords: Passwords,
        tokens: Tokens,
        secret: str,
        settings: PeopleSettings,
        now: Callable[[], Millis],
    ) -> None:
        self._index = index
        self._changes = changes
        self._passwords = passwords
        self._tokens = tokens
        self._secret = secret
        self._known_life = settings.known_life
        self.recognition = Recognition(settings.addresses_remembered)
        self._logins = Logins(
            settings.logins_per_name,
            settings.logins_per_name_anywhere,
            settings.logins_per_address,
            now,
            settings.addresses_remembered,
        )

    def refusals(self) -> dict[str, int]:
        return self._logins.refusals()

    async def login(self, name: str, password: str, address: str | None, token: str | None) -> PersonRow:
        """Whose name and password this is, or WrongLogin."""
        key, row = self._named(name)
        taken = self._take_try(key, row, address, token)
        # The salt is the name as it is stored, however it was spelled now.
        proof = proof_of(name if row is None else row.name, password)
        row = await self._verified(key, row, proof, self._index.hashes, address, taken)
        assert row.password is not None
        if self._passwords.outdated(row.password):
            with suppress(Busy, UnknownPerson):  # there will be another log-in
                hashed = await self._passwords.hash(proof.hash, asker(address))
                await self._changes.rehash(row.id, row.password, hashed)
        return row

    async def login_hashed(self, name: str, hash: str, address: str | None, token: str | None) -> PersonRow:
        """The same for a client that hashes, with the name exactly as it is stored as salt."""
        check_prehash(hash)
        key, row = self._named(name)
        # Also before somebody is recognised: otherwise whoever has no try left could go on guessing.
        taken = self._take_try(key, row, address, token)
        if row is not None and row.password is not None and self.recognition.knows(row.password, hash):
            give_back(taken)
            if taken:
                self._logins.spare(row.id, address)
            return row
        if row is not None and row.password is not None and not takes_hashes(row.password):
            raise PasswordNeeded
        # Of the accounts only these are checked at all, so a name that nobody has costs what they do.
        kinds = {kind: count for kind, count in self._index.hashes.items() if takes_hashes(kind)}
        row = await self._verified(key, row, Proof(hash), kinds, address, taken)
        assert row.password is not None
        self.recognition.remember(row.password, hash)
        return row

    async def confirm(self, id: PersonId, password: str) -> str:
        """Raises unless this is the account's password; gives back the hash that it was checked against."""
        row = self._changes.here(id)
        if row.password is None:
            raise AccountsOnly
        self._logins.again(id)
        return await self._confirmed(row, password)

    async def confirm_anew(self, id: PersonId, password: str) -> str:
        """It was right, but another change of this account was quicker: is it right now?"""
        return await self._confirmed(self._changes.here(id), password)

    def spare(self, id: PersonId) -> None:
        """That this person has said their password once more does not count."""
        self._logins.not_again(id)

    async def _confirmed(self, row: PersonRow, password: str) -> str:
        assert row.password is not None
        proof = proof_of(row.name, password)
        right = not is_hashed(row.password) and self.recognition.knows(row.password, proof.hash)
        if not right and not await self._passwords.matches(row.password, proof):
            raise WrongPassword
        return row.password

    def _named(self, name: str) -> tuple[str, PersonRow | None]:
        """The account of this name. Guests have no password, so none is right."""
        # A longer text is nobody's name.
        key = name_key(name) if len(name) <= 16 * NAME_LONGEST else ""
        row = self._index.named(key)
        return key, None if row is None or row.password is None else row

    async def _verified(
        self,
        key: str,
        row: PersonRow | None,
        proof: Proof,
        kinds: Mapping[str, int],
        address: str | None,
        taken: Taken,
    ) -> PersonRow:
        # An unknown name takes as long as a wrong password.
        stored = decoy(kinds, key, self._secret) if row is None else row.password
        try:
            if row is not None and stored is not None and not is_hashed(stored):
                row = await self._new(row, stored, proof, address)
                right = row is not None
            else:
                right = await self._passwords.matches(stored or self._passwords.nobody, proof, asker(address))
        except Busy:
            give_back(taken)
            raise
        if not right or row is None:
            raise WrongLogin
        give_back(taken)
        return row

    async def _new(self, row: PersonRow, stored: str, proof: Proof, address: str | None) -> PersonRow | None:
        """An account whose slow hash is still being made, or never was, since the server died before it was stored.

        In the second case nobody knows the right password any more. The account is only moments old: whoever
        logs in next with its name gets it.
        """
        if self.recognition.expects(stored):
            if self.recognition.knows(stored, proof.hash):
                return row
            await self._passwords.matches(self._passwords.nobody, proof, asker(address))
            return None
        hashed = await self._passwords.hash(proof.hash, asker(address))
        await self._changes.rehash(row.id, stored, hashed)
        now = self._index.get(row.id)
        # Somebody else may have been quicker.
        return now if now is not None and now.password == hashed else None

    def _take_try(self, key: str, account: PersonRow | None, address: str | None, token: str | None) -> Taken:
        claim = None if token is None else self._tokens.read_old(token, self._known_life)
        if claim is not None and account is not None and claim.person == account.id:
            self._logins.known(f"{claim.person} {claim.epoch} {claim.issued}")
            return ()
        return self._logins.stranger(key, None if account is None else account.id, address)


def asker(address: str | None) -> str | None:
    """The address that counts as one asker of hashes; None: not limited."""
    return None if address is None or is_loopback(address) else site_key(address)
