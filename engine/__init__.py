# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The game itself, pure: rules, notation, search, match. Imports nothing but itself, ``array`` and ``micropython``."""
