"""Hypothesis strategies made from msgspec types: a game declares its actions, and tests make them up."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

Values = st.SearchStrategy[Any]


def anything(of: Any, *, wild: bool = False) -> Values:
    """Values of a type. Wild ones have the right types but may lie outside the declared bounds."""
    return _values(inspect.type_info(of), wild)


def _values(of: inspect.Type, wild: bool) -> Values:
    match of:
        case inspect.UnionType(types=types):
            return st.one_of([_values(each, wild) for each in types])
        case inspect.StructType(cls=cls, fields=fields):
            parts: Mapping[str, Values] = {field.name: _values(field.type, wild) for field in fields}
            return st.builds(cls, **parts)
        case inspect.IntType():
            return _integers(of, wild)
        case inspect.StrType(min_length=shortest, max_length=longest):
            if wild:
                return st.text(max_size=20)
            return st.text(min_size=shortest or 0, max_size=20 if longest is None else longest)
        case inspect.FloatType(ge=low, le=high):
            bounds = (None, None) if wild else (low, high)
            return st.floats(min_value=bounds[0], max_value=bounds[1], allow_nan=False, allow_infinity=False)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType(values=values):
            return st.sampled_from(list(values))
        case inspect.EnumType(cls=enum):
            return st.sampled_from(enum)
        case inspect.TupleType(item_types=item_types):
            return st.tuples(*(_values(each, wild) for each in item_types))
        case (
            inspect.VarTupleType(item_type=item, min_length=shortest, max_length=longest)
            | inspect.ListType(item_type=item, min_length=shortest, max_length=longest)
        ):
            low, high = (0, 6) if wild else (shortest or 0, 6 if longest is None else longest)
            items = st.lists(_values(item, wild), min_size=low, max_size=high)
            return items if isinstance(of, inspect.ListType) else items.map(tuple)
        case inspect.DictType(key_type=keys, value_type=kept):
            return st.dictionaries(_values(keys, wild), _values(kept, wild), max_size=6)
        case inspect.Metadata(type=inner):
            return _values(inner, wild)
    raise NotImplementedError(f"no strategy for {of}")


def _integers(of: inspect.IntType, wild: bool) -> Values:
    low = of.ge if of.ge is not None else None if of.gt is None else of.gt + 1
    high = of.le if of.le is not None else None if of.lt is None else of.lt - 1
    if not wild:
        return st.integers(low, high)
    # Mostly just inside and just outside the bounds, where mistakes live.
    near = st.integers((low or 0) - 3, (32 if high is None else high) + 3)
    return near | st.integers()
