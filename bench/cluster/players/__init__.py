"""Those who play through everything: the simulation's people, but they want nothing else than to finish their games."""
