"""heddle in gdb: the program's threads are fibers of one thread of the kernel, and its schedule is a trace.

  info threads        every thread of the program, and where it is (also: heddle threads)
  thread N            go to that thread: bt, up, info locals and print are about it until the program goes on
  heddle thread N     its whole stack
  heddle thread N|all COMMAND
                      a command of gdb with the registers of that thread: bt, info locals, print x
  heddle step [N]     N steps of the schedule forwards (1)
  heddle back [N]     ... backwards
  heddle goto N       to the moment after step N
  heddle last-write E the step that wrote the variable or member E last
  reverse-continue    back to the stop before: a breakpoint or watchpoint, or the beginning

Going back runs the program again from the start: the schedule is the same, so everything is.
heddle's own frames are left out of backtraces (bt -no-filters shows them)."""
import os

import gdb

RT = "((struct hd_rt *)0x014000000000)"
REPLACED = ["rip", "rsp"]  # to look at a parked fiber: its frame (src/runtime/switch.S) has the others
ATOMICS = ("ATOMIC_READ", "ATOMIC_WRITE", "RMW", "CAS", "CAS_FAIL")


WRITES = ("WRITE", "ATOMIC_WRITE", "RMW", "CAS", "FREE", "COPY")
END = None  # steps of the whole run; None: not known
VIEWED = {}  # the registers that `thread N` has replaced


def value(expression):
    return gdb.parse_and_eval(expression)


def number(expression):
    return int(value(expression))


def thread_name(thread):
    if thread == 0:
        return "main"
    shared = f"{RT}->shared->threads[{thread}]"
    parent, nth = number(f"{shared}.parent"), number(f"{shared}.nth")
    return f"T{nth}" if parent == 0 else f"{thread_name(parent)}.{nth}"


def live():
    words = [number(f"{RT}->config.live.w[{i}]") for i in range(4)]
    return [t for t in range(number(f"{RT}->config.n_threads")) if words[t // 64] >> (t % 64) & 1]


def put(register, number):
    """Into the register itself: of an outer frame it would be the place where it is saved."""
    gdb.newest_frame().select()
    gdb.execute(f"set ${register} = {number}")


class Fiber:
    """Looks at the stack of a parked fiber: its registers are put in place for a moment."""

    def __init__(self, thread):
        self.thread = thread
        self.running = thread == number(f"{RT}->cur")

    def __enter__(self):
        gdb.newest_frame().select()
        if self.running:
            return
        self.saved = {r: number(f"(unsigned long)${r}") for r in REPLACED}
        sp = number(f"{RT}->fibers[{self.thread}].sp")
        put("rip", number("(unsigned long)&hd_parked"))
        put("rsp", sp)

    def __exit__(self, *ignored):
        if not self.running:
            for register, old in self.saved.items():
                put(register, old)


def leave_view():
    """The registers as they were before `thread N`."""
    for register, old in VIEWED.items():
        put(register, old)
    VIEWED.clear()


def view(thread):
    """Look from that thread until the program goes on."""
    leave_view()
    if thread not in live():
        raise gdb.GdbError(f"there is no thread {thread} now; see `info threads`")
    fiber = Fiber(thread)
    fiber.__enter__()
    if not fiber.running:
        VIEWED.update(fiber.saved)
    print(f"thread {thread}, {thread_name(thread)}")
    select_program()
    show_frame()


def is_ours(frame):
    """Of the runtime, which has no lines but for one file; libraries may have none either."""
    place = frame.find_sal().symtab
    if place:
        return (frame.name() or "").startswith(("hd_", "__heddle")) or "src/runtime/" in place.filename
    return gdb.current_progspace().solib_name(frame.pc()) is None


def frames():
    """The program's own frames of the current stack."""
    frame, found = gdb.newest_frame(), []
    while frame is not None and len(found) < 100:
        place = frame.find_sal()
        if not is_ours(frame) and place.symtab:
            found.append(f"{frame.name()} at {place.symtab.filename}:{place.line}")
        frame = frame.older()
    return found


def show_threads():
    leave_view()
    for thread in live():
        with Fiber(thread) as ignored:
            stack = frames()
        mark = "*" if thread == number(f"{RT}->cur") else " "
        begins = number(f"{RT}->config.next[{thread}].op") == number("(int)HD_OP_START")
        where = stack[0] if stack else "not started yet" if begins else "at its end"
        print(f"{mark} {thread:3} {thread_name(thread):8} {where}")
    select_program()


def show_thread(thread, command):
    leave_view()
    if thread not in live():
        raise gdb.GdbError(f"there is no thread {thread} now; see `info threads`")
    with Fiber(thread) as ignored:
        select_program()
        if command:
            gdb.execute(command)
            return
        for i, line in enumerate(frames()):
            print(f"#{i}  {line}")


def show_all(command):
    for thread in live():
        print(f"\nthread {thread}, {thread_name(thread)}:")
        try:
            show_thread(thread, command)
        except gdb.error as problem:
            print(problem)


def select_program():
    """Up to the first frame that is the program's."""
    frame = gdb.newest_frame()
    while frame is not None and is_ours(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()


def show_frame():
    """The line of the selected frame, as gdb shows it."""
    frame = gdb.selected_frame()
    place = frame.find_sal()
    if is_ours(frame):
        print("no function of the program is on this stack: its thread has not started, or is at its end")
        return
    if not place.symtab:
        return
    print(f"{frame.name()} at {place.symtab.filename}:{place.line}")
    try:
        gdb.execute(f"list {place.symtab.filename}:{place.line},{place.line}")
    except gdb.error:
        pass  # the source is not here


def position():
    """Steps that have been done; None: no process."""
    try:
        return number(f"{RT}->n_log")
    except gdb.error:
        return None


def here():
    now = position()
    if now is None:
        raise gdb.GdbError("the program has ended: `heddle goto N` runs it again")
    return now


def goto(step):
    if step < 0:
        raise gdb.GdbError("there is no step before the first")
    if END is not None and step > END:
        raise gdb.GdbError(f"the run has {END} steps")
    leave_view()
    now = position()
    if now is None or step < now or step == 0:
        stop_at(step, "run")
    elif step > now:
        stop_at(step, "continue")
    now = here()
    print(f"after step {now}, in {thread_name(number(f'{RT}->cur'))}")
    show_step(now)
    show_stale(now)
    select_program()
    show_frame()


def writes(log):
    """Does the step write the memory at its object?"""
    return number(f"{log}.op") in [number(f"(int)HD_OP_{name}") for name in WRITES]


def last_write(expression):
    what = value(expression)
    if what.address is None:
        raise gdb.GdbError(f"{expression} is not in memory")
    begin = int(what.address)
    end = begin + what.type.sizeof
    for step in range(here(), 0, -1):
        log = f"{RT}->shared->log[{step - 1}]"
        at, size = number(f"{log}.action.object"), number(f"{log}.size")
        if at < end and begin < at + size and writes(log):
            name = thread_name(number(f"{log}.thread"))
            print(f"step {step} of {name} wrote {expression}; `heddle goto {step - 1}` stands before it")
            return
    print(f"no step up to here has written {expression} (what only one thread can reach is not among the steps)")


def go_back():
    """To the last stop before this step."""
    leave_view()
    now = here()
    if now == 0:
        raise gdb.GdbError("there is no step before the first")
    silent = {b: b.silent for b in gdb.breakpoints()}
    for b in silent:
        b.silent = True
    try:
        found = run_to_last_stop(now)
    finally:
        for b, was in silent.items():
            if b.is_valid():
                b.silent = was
    if not found:
        goto(0)
        return
    print(f"in step {here()}, in {thread_name(number(f'{RT}->cur'))}")
    select_program()
    show_frame()


class Unstopped:
    """The user's breakpoints and watchpoints are off meanwhile."""

    def __enter__(self):
        self.off = [b for b in gdb.breakpoints() if b.enabled and b.visible]
        for b in self.off:
            b.enabled = False

    def __exit__(self, *ignored):
        for b in self.off:
            if b.is_valid():
                b.enabled = True


def start():
    """Runs the program again, to where the loader is done: its relocations write variables that are watched."""
    with Unstopped() as ignored:
        try:
            first = gdb.Breakpoint("__libc_start_main", internal=True)
        except gdb.error:
            first = gdb.Breakpoint("main", internal=True)
        first.silent = True
        try:
            gdb.execute("run", to_string=True)
        finally:
            first.delete()


def run_to_last_stop(now):
    """Counts the stops before step `now`, then runs again to the last of them."""
    stops = 0
    for last in (False, True):
        at = gdb.Breakpoint("hd_replay_decide", internal=True)
        at.silent = True
        at.condition = f"{RT}->n_log == {now - 1}"
        try:
            start()
            gdb.execute("continue", to_string=True)
            for passed in range(stops if last else 1 << 20):
                if at.hit_count or position() is None:
                    break
                if last and passed + 1 == stops:
                    break
                stops += not last
                gdb.execute("continue", to_string=True)
        finally:
            at.delete()
        if stops == 0:
            return False
    return True


def read_steps():
    """What the steps do, in the words of the report; the file that has them is not the program's."""
    try:
        with os.fdopen(heddle_steps) as lines:
            return lines.read().splitlines()
    except (NameError, OSError):
        return []


def show_step(step):
    if 0 < step <= len(STEPS):
        print(f"step {step}: {STEPS[step - 1]}")


def show_stale(step):
    """Under a weak memory model the step may have read another store than the one that memory holds."""
    if step == 0 or not number(f"{RT}->weak"):
        return
    log = f"{RT}->shared->log[{step - 1}]"
    op, newer = number(f"{log}.op"), number(f"{log}.choice")
    if newer == 0 or op not in [number(f"(int)HD_OP_{name}") for name in ATOMICS]:
        return
    stores = "is 1 newer store" if newer == 1 else f"are {newer} newer stores"
    if op == number("(int)HD_OP_ATOMIC_WRITE"):
        print(f"not the newest: there {stores} of the variable, and memory holds the newest")
        return
    bits = 8 * min(number(f"{log}.size"), 8)
    read = number(f"{log}.value_read") & (1 << bits) - 1
    read -= (read >> bits - 1) << bits
    print(f"stale: it read {read}; there {stores} of the variable, and memory holds the newest")


def stop_at(step, how):
    """A breakpoint before the decision that follows the step."""
    at = gdb.Breakpoint("hd_replay_decide", internal=True)
    at.silent = True
    at.condition = f"{RT}->n_log == {step}"
    try:
        with Unstopped() as ignored:
            gdb.execute(how, to_string=True)
    finally:
        at.delete()


class Heddle(gdb.Command):
    __doc__ = __doc__

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING)

    def invoke(self, arg, from_tty):
        words = arg.split()
        try:
            if words[0].startswith(("thread", "last")):
                here()
            if words[0] == "last-write":
                leave_view()
                select_program()
                last_write(arg.split(None, 1)[1])
                return
            if words[0] == "thread":
                command = arg.split(None, 2)[2] if len(words) > 2 else ""
                if words[1] == "all":
                    show_all(command)
                else:
                    show_thread(int(words[1]), command)
                return
            count = int(words[1]) if len(words) > 1 else 1
            if words[0] == "threads":
                show_threads()
            elif words[0] == "step":
                goto(here() + count)
            elif words[0] == "back":
                goto(here() - count)
            elif words[0] == "goto":
                goto(int(words[1]))
            else:
                raise IndexError
        except (IndexError, ValueError):
            raise gdb.GdbError("heddle threads | thread N|all [COMMAND] | step [N] | back [N] | "
                               "goto N | last-write EXPRESSION") from None


class InfoThreads(gdb.Command):
    """The threads of the program.  To gdb they are one, of the kernel; that one is not shown."""

    def __init__(self):
        super().__init__("info threads", gdb.COMMAND_STATUS)

    def invoke(self, arg, from_tty):
        try:
            show_threads()
        except gdb.error:
            raise gdb.GdbError("No threads.") from None


class Thread(gdb.Command):
    """thread N: look from that thread of the program.  thread apply N|all COMMAND: a command for it, or for each."""

    def __init__(self):
        super().__init__("thread", gdb.COMMAND_RUNNING)

    def invoke(self, arg, from_tty):
        words = arg.split(None, 2)
        here()
        try:
            if not words:
                thread = number(f"{RT}->cur")
                print(f"thread {thread}, {thread_name(thread)}, runs")
            elif words[0] == "apply" and words[1] == "all":
                show_all(words[2])
            elif words[0] == "apply":
                show_thread(int(words[1]), words[2])
            else:
                view(int(words[0]))
        except (IndexError, ValueError):
            raise gdb.GdbError("thread N | thread apply N|all COMMAND") from None


class ReverseContinue(gdb.Command):
    """Back to the stop before, along the schedule."""

    def __init__(self):
        super().__init__("reverse-continue", gdb.COMMAND_RUNNING)

    def invoke(self, arg, from_tty):
        go_back()


class LeaveView(gdb.Command):
    """The registers of the thread that runs; before every command that lets the program go on."""

    def __init__(self):
        super().__init__("heddle-leave-view", gdb.COMMAND_OBSCURE)

    def invoke(self, arg, from_tty):
        leave_view()


def leave_runtime():
    """Out of the runtime, into which a thread returns when its function ends."""
    if gdb.selected_thread() is None or gdb.selected_thread().is_running():
        return
    now = position()
    if now is None or not is_ours(gdb.newest_frame()):
        return
    select_program()
    if not is_ours(gdb.selected_frame()):
        show_frame()
    elif END is None or now < END:
        goto(now + 1)


def stopped(event):
    """A stop in the runtime, as of a watchpoint or at the end of `step`, is shown in the program's frame."""
    if isinstance(event, gdb.SignalEvent) or not is_ours(gdb.newest_frame()):
        return
    if isinstance(event, gdb.BreakpointEvent):
        if event.breakpoint.visible and not event.breakpoint.silent:
            select_program()
            show_frame()
    else:
        gdb.post_event(leave_runtime)  # it may let the program go on, which is not possible here


class ProgramFrames:
    """Backtraces without the runtime's own frames."""

    def __init__(self):
        self.name, self.priority, self.enabled = "heddle", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, iterator):
        return (f for f in iterator if not is_ours(f.inferior_frame()))


def begin():
    """To the violation."""
    global END
    gdb.execute("set confirm off")
    gdb.execute("set pagination off")
    gdb.execute("set breakpoint pending on", to_string=True)
    gdb.execute("set print thread-events off")
    end = gdb.Breakpoint("hd_replay_over", internal=True)  # not one that `delete` deletes
    end.silent = True
    gdb.execute("skip -rfu ^(hd_|__heddle_)", to_string=True)
    for command in ("continue", "step", "next", "stepi", "nexti", "finish", "until", "advance", "run", "call"):
        gdb.execute(f"define hook-{command}\nheddle-leave-view\nend")
    gdb.execute("run", to_string=True)
    steps = END = position()
    if steps is None:
        print("heddle: the program ended without coming to the end of the run; `heddle goto N` runs it again")
        return
    if gdb.selected_frame().name() == "hd_replay_over" and number("(unsigned long)finding"):
        print(f"heddle: {value('finding->message').string()}")
    print(f"heddle: the run stands after step {steps}; `help heddle` for going along it")
    show_threads()
    select_program()
    show_frame()


STEPS = read_steps()
Heddle()
InfoThreads()
Thread()
ReverseContinue()
LeaveView()
ProgramFrames()
gdb.events.stop.connect(stopped)
begin()
