"""Tower: tic-tac-toe for three on a tower."""
