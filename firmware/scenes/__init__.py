# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the board shows and how it answers presses: one scene a file. Pages of choices are rows of data."""
