# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Processes that work for a command and end with it."""

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from multiprocessing import connection

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class ProcessLost(RuntimeError):
    """A process has ended in the middle of its work; the text is one line."""


def _follow(parent):
    """End with the parent, however it ended, even in the middle of a task."""
    connection.wait([parent.sentinel])
    os._exit(1)


def _work(channel, begin, arguments):
    """A process: answers (function, chunk) with (None, results) or (exception, None) until the channel closes."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    threading.Thread(target=_follow, args=(multiprocessing.parent_process(),), daemon=True).start()
    fault = None
    try:
        if begin:
            begin(*arguments)
    except Exception as error:  # told in the answer to the first task
        fault = error
    with contextlib.suppress(EOFError, OSError):
        while True:
            function, chunk = channel.recv()
            results = None
            try:
                if fault is None:
                    results = [function(task) for task in chunk]
            except Exception as error:
                fault = error
            try:
                pickle.loads(pickle.dumps(fault))
            except Exception:
                fault = RuntimeError("%s: %s" % (type(fault).__name__, fault))
            channel.send((fault, results))
            fault = None


@contextlib.contextmanager
def _deaf():
    """Ctrl-C and SIGTERM wait, so that no process is left half started; what is started is as deaf as this moment is.

    The mask is what it inherits. It is not enough here: another thread, such as tqdm's, hears a signal all the same,
    and Python handles it in the main one."""
    waiting = []
    main = threading.current_thread() is threading.main_thread()
    handlers = [signal.signal(one, lambda number, frame: waiting.append(number)) for one in SIGNALS] if main else []
    masks = hasattr(signal, "pthread_sigmask")
    if masks:
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # it would undo the mask
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, handler in zip(SIGNALS, handlers):
            signal.signal(number, handler or signal.SIG_DFL)
        for number in waiting[:1]:
            signal.raise_signal(number)


class Pool:
    """What :func:`pool` gives; one of its methods at a time. Each raises what ``function`` raised in a process, or
    ProcessLost."""

    def __init__(self, jobs, begin, arguments):
        self._jobs, self._start = jobs or os.cpu_count() or 1, (begin, arguments)
        self._processes, self._channels = [], []
        self._context = multiprocessing.get_context("spawn")

    def _begin(self, count):
        """See that ``count`` processes are there, ``jobs`` at most."""
        for _ in range(min(count, self._jobs) - len(self._processes)):
            here, there = multiprocessing.Pipe()
            with _deaf():
                process = self._context.Process(target=_work, args=(there, *self._start), daemon=True)
                process.start()
                self._processes.append(process)
                self._channels.append(here)
                there.close()

    def _answers(self, function, tasks, chunksize):
        """(number of the chunk, results) in any order."""
        tasks = list(tasks)
        chunks = [tasks[i : i + chunksize] for i in range(0, len(tasks), chunksize)]
        self._begin(len(chunks))
        idle, given, following = list(self._channels), {}, 0
        try:
            while following < len(chunks) or given:
                while idle and following < len(chunks):
                    given[idle[-1]] = following
                    idle.pop().send((function, chunks[following]))
                    following += 1
                for channel in connection.wait(list(given)):
                    fault, results = channel.recv()
                    if fault is not None:
                        raise fault
                    yield given.pop(channel), results
                    idle.append(channel)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise ProcessLost("a process has been ended from outside, for want of memory perhaps") from None

    def imap_unordered(self, function, tasks, chunksize=1):
        """The results of function(task) in any order."""
        for _, results in self._answers(function, tasks, chunksize):
            yield from results

    def imap(self, function, tasks, chunksize=1):
        """The results of function(task) in the order of the tasks."""
        early, following = {}, 0
        for number, results in self._answers(function, tasks, chunksize):
            early[number] = results
            while following in early:
                yield from early.pop(following)
                following += 1

    def map(self, function, tasks, chunksize=1):
        """The list of function(task)."""
        return list(self.imap(function, tasks, chunksize))

    def end(self):
        """End the processes at once, whatever they do."""
        for process in self._processes:
            process.kill()
        for process, channel in zip(self._processes, self._channels):
            process.join()
            channel.close()


@contextlib.contextmanager
def pool(jobs, begin=None, arguments=()):
    """A Pool of ``jobs`` processes (None: one a core), started as they are needed; each calls ``begin(*arguments)``
    first.

    Ctrl-C and SIGTERM are the parent's, which then ends the others: they do not hear them, not even while they start.
    SIGTERM becomes a SystemExit, so that what a command keeps is kept. Spawned, since that is the same on every system
    and leaves no half-copied state; each has a channel of its own, since a lock that they share can be left locked.
    """
    made = Pool(jobs, begin, arguments)
    term = signal.SIGTERM

    def end(number, frame):
        signal.signal(number, signal.SIG_IGN)  # `timeout` sends it to the command and to its group
        raise SystemExit(128 + number)

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(term, end) if main else None
    try:
        yield made
    finally:
        made.end()
        if main and signal.getsignal(term) is end:
            signal.signal(term, before)
