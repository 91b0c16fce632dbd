"""What is asked over HTTP: accounts, tables, files, analysis, previews, health."""
