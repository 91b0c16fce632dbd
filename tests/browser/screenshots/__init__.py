"""Pictures of every page, at three sizes, light and dark: `make screenshots`. The README's are among them."""
