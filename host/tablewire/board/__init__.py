"""What lies on the table, from what the board observed. Pure: time is an argument."""
