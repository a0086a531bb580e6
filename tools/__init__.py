# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Desktop commands: ``python3 -m tools NAME``. Nothing on the board imports this package."""
