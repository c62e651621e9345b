"""Where other programs come in: bots in any language by a text protocol, and batches of games as arrays."""
