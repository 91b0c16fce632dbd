"""The variants that have a name here. The spelling of their rules is the canonical one."""

from functools import lru_cache

import msgspec

_FETLAR = "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/"
_TABLUT = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
_BRANDUB = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
_TAWLBWRDD = "/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/"
_BERSERK = "/3ttttt3/5c5/11/t4T4t/t3NTT3t/tc1TTKTT1ct/t3TTT3t/t4T4t/11/5c5/3ttttt3/"
_TABLUT_15 = (
    "/5ttttt5/6ttt6/7t7/7t7/7T7/t5TTT5t/"
    "tt3T1T1T3tt/ttttTTTKTTTtttt/tt3T1T1T3tt/t5TTT5t/7T7/7t7/7t7/6ttt6/5ttttt5/"
)
_PARLETT = "/4ttttt4/5t1t5/6t6/6T6/t3T3T3t/tt3TTT3tt/t1tT1TKT1Tt1t/tt3TTT3tt/t3T3T3t/6T6/6t6/5t1t5/4ttttt4/"
_EVANGELII = (
    "/2t2t7t2t2/19/t4t7t4t/7t1t1t7/6t1T1T1t6/t1t2t7t2t1t/4t4T4t4/3t4T1T4t3/4T2T1T1T2T4/3t2T1TKT1T2t3/"
    "4T2T1T1T2T4/3t4T1T4t3/4t4T4t4/t1t2t7t2t1t/6t1T1T1t6/7t1t1t7/t4t7t4t/19/2t2t7t2t2/"
)
_FORTS = "a4,a5,a6,b5,d1,e1,f1,e2,i4,i5,i6,h5,d9,e9,f9,e8,"
_CORNERS = "a1,a2,b1,b2,a18,b18,a19,b19,r1,r2,s1,s2,r18,r19,s18,s19,"


class Variant(msgspec.Struct, frozen=True, gc=False):
    name: str
    """Stable, for programs."""
    rules: str
    """A rules string."""


VARIANTS = (
    Variant("sea_battle", f"dim:9 name:Sea_Battle esc:e atkf:y ka:n nj:n cj:n cor: cen: start:{_TABLUT}"),
    Variant("fetlar", f"dim:11 name:Fetlar atkf:y nj:n cj:n start:{_FETLAR}"),
    Variant("copenhagen", f"dim:11 name:Copenhagen atkf:y tfr:w sw:s efe:y start:{_FETLAR}"),
    Variant(
        "copenhagen_relaxed",
        f"dim:11 name:Copenhagen_(relaxed_shieldwall) atkf:y tfr:w sw:s swf:n efe:y start:{_FETLAR}",
    ),
    Variant("berserk", f"dim:11 name:Berserk surf:n atkf:n tfr:l kj:r ber:c start:{_BERSERK}"),
    Variant("brandub", f"dim:7 name:Brandub surf:n atkf:y ks:w cenh: cenhe: start:{_BRANDUB}"),
    Variant(
        "tawlbwrdd",
        f"dim:11 name:Tawlbwrdd esc:e atkf:y ks:w nj:n cj:n cor: cen: start:{_TAWLBWRDD}",
    ),
    Variant(
        "tablut",
        "dim:9 name:Tablut esc:e atkf:y ks:c nj:n cor: cenp:tcnkTCNK cens: cenh: cenhe:tcnkTCNK linc:y "
        f"start:{_TABLUT}",
    ),
    Variant(
        "foteviken",
        f"dim:9 name:Foteviken_Tablut esc:e atkf:y nj:n cor: afor:{_FORTS} cenp:tcnkTCNK aforp:tcnkTCNK cens: "
        f"cenh: cenhe:K aforh:K cenre: aforre: start:{_TABLUT}",
    ),
    Variant(
        "magpie",
        f"dim:7 name:Magpie surf:n atkf:y ks:m spd:-1,-1,-1,-1,-1,-1,-1,-1,-1,1,-1,-1, start:{_BRANDUB}",
    ),
    Variant("computer_fetlar", f"dim:11 name:Computer_Fetlar atkf:y tfr:w start:{_FETLAR}"),
    Variant("tablut_15", f"dim:15 name:Tablut esc:e atkf:y ks:c nj:n cor: cens: cenh: start:{_TABLUT_15}"),
    Variant(
        "sea_battle_parlett",
        f"dim:13 name:Sea_Battle_(Parlett) esc:e atkf:y ka:n nj:n cj:n cor: cen: start:{_PARLETT}",
    ),
    Variant(
        "alea_evangelii",
        f"dim:19 name:Alea_Evangelii atkf:y tfr:w cor:{_CORNERS} cenp:tcnkTCNK cens: cenh: "
        f"cenhe:tcnkTCNK start:{_EVANGELII}",
    ),
)


@lru_cache(maxsize=1)
def rules_by_name() -> dict[str, str]:
    return {variant.name: variant.rules for variant in VARIANTS}


@lru_cache(maxsize=1)
def names_by_rules() -> dict[str, str]:
    return {variant.rules: variant.name for variant in VARIANTS}
