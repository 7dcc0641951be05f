"""The roles of a federation as processes that talk over TCP sockets."""
