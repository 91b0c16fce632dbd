"""What servers have stored, read without them, and compared with all that anybody was told."""
