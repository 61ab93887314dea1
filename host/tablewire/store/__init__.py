"""The journal of a table on disk. Owns SQLite; knows nothing of rules, links or pages."""
