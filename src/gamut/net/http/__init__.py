"""HTTP for all addresses alike: guards, headers, bodies, durable answers, and the files of the page."""
