"""One module per neighbour of D-5; each only reads and writes the log."""
