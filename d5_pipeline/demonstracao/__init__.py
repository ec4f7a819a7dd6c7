"""The neighbours of D-5 on real requests: São Paulo's 156 becomes the platform's events.

Nothing here is part of D-5. The neighbours know the log and nothing else, as the colonies of the platform do (section
5.2), and `simulacao.Simulacao` lets them take turns with D-5.
"""
