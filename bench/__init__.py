"""The benchmark suite: what the project promises about speed, memory and storage, each figure against its reference."""
