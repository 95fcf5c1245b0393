"""The bot protocol: bots in any language, over standard input and output.

Every line is a word, optionally followed by a space and JSON or plain text. It is specified in
`docs/bot-protocol.md`. `external.ExternalBot` is the client that asks a program for moves,
`runner` makes such a program of a bot in Python.
"""

PROTOCOL = 2
