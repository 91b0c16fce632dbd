"""What `make bench` measures at each door: moves a second, CPU, delays, log-ins."""
