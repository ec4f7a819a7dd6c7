"""D-5 Agenda: the log goes in, the agenda comes out."""
