# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The board as the rest of the program sees it."""

# Pixels, buttons, time, a few safe bytes and a console; no game. One contract, one module for each world::
#
#     hal.circuitpython   the real board; open_board(settings) -> Board
#     hal.simulated       stand-ins for the chip's modules, under which the unchanged hal.circuitpython runs elsewhere
#     hal.terminal        a window on a simulated board: its matrix in colour, the keyboard as its eight buttons
#     hal.simulated_port  a simulated board's console as a pseudo-terminal or a TCP port
#     hal.opening         what hal.circuitpython opens its board with: the pins that the settings name, and all else
#     hal.buttons         pins to debounced events, the same in all worlds
#     hal.drive           files on the drive that are read in place, the same in all worlds
#     hal.wiring          cell to place on the strip of pixels, the same in all worlds
#
# A ``Board`` has (plain attributes and methods, nothing else is promised)::
#
#     pixels            neopixel.NeoPixel, 54 pixels, auto_write off, brightness 1.0
#     wire              bytes(54): wire[cell] is its index on the strip; cell = 6 * column + row from the bottom left
#     buttons           hal.buttons.Buttons
#       .poll(now_ms)     reads all eight; call it at most 10 ms apart; cheap while nothing changes
#       .next()           -> the next event, or -1: button (0..6 = a..g, 7 = pop) | DOWN 0, UP 8 or HOLD 16
#                         HOLD comes once, 1,000 ms after DOWN, while the button is still down
#       .held_at_start    mask of the buttons that were down at power-on; they give no event until they are released
#       .stuck            mask of the buttons that have been down for 20 s; told once, no event until they are released
#     busy(work, *args) -> work(*args), for work that lets no poll through (an import, a new variation's tables): the
#                       buttons are scanned in the background meanwhile, no press is lost
#     lend() take_back()  the same for a loop whose rounds are long for a while: in between scan(now_ms) takes the place
#                       of buttons.poll(now_ms)
#     ticks_ms()        milliseconds, wrapping at 2**29; compare with adafruit_ticks.ticks_diff only
#     nvm               bytes-like non-volatile memory, len() 0 where there is none; a read or a write may raise
#     read_line()       -> the next line from the console without its end, cut at 200 characters, or None; never waits
#     write(text)       prints a line on the console; waits at most 20 ms for a computer that does not read
#     sleep_ms(ms)      lets the time pass (0 <= ms <= 1000)
#     collect()         collects garbage
#     forget(names)     drops modules (a text, blanks between them) from memory: an import loads them anew
#     reset()           restarts the board from power-on
#     complaints        list of lines: what of the settings could not be had on this board, and what is used instead
#
# ``open_board`` reads these attributes of the settings; one that is missing takes the default shown::
#
#     pixel_pin = "GP0"                              names as in the chip's ``board`` module
#     button_pins = ("GP2", ..., "GP8", "GP9")       a..g and pop
#     pixel_order = "GRB"                            a permutation of RGB or of RGBW
#     first_corner = "bottom left"                   where the strip starts: bottom or top, left or right
#     wiring_order = "column"                        "column" or "row": the direction of its first stretch
#     serpentine = 0                                 1: every second stretch runs backwards
#     rotation = 0                                   0 or 180 degrees
