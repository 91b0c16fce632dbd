"""What holds for all the tests."""

from hypothesis import settings

# How long an example takes says how busy the machine is, and nothing about the product.
settings.register_profile("gamut", deadline=None)
settings.load_profile("gamut")
