"""A literal, slow model of the D-5 fold, and random logs to hold the real engine against it.

Written from the specification and its decisions alone; it shares no code with the application.
"""
