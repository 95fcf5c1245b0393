"""The bot protocol: bots in any language, over standard input and output.

Every line is a word and, behind a space, JSON or plain text. `docs/bot-protocol.md` specifies it;
`external.ExternalBot` is the side that asks, `speaker.speak` the side of our own bots.
"""

PROTOCOL = 2
