"""heddle in gdb: the program's threads are fibers of one thread of the kernel, and its schedule is a trace.

  heddle threads      every thread of the program, and where it is
  heddle thread N     ... its whole stack
  heddle step [N]     N steps of the schedule forwards (1)
  heddle back [N]     ... backwards
  heddle goto N       to the moment after step N

Going back runs the program again from the start: the schedule is the same, so everything is."""
import gdb

RT = "((struct hd_rt *)0x014000000000)"
PARKED = ["r15", "r14", "r13", "r12", "rbx", "rbp", "rip"]  # of a parked fiber, from its sp + 8 on


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


class Fiber:
    """Looks at the stack of a parked fiber: its registers are put in place for a moment."""

    def __init__(self, thread):
        self.thread = thread
        self.running = thread == number(f"{RT}->cur")

    def __enter__(self):
        gdb.newest_frame().select()
        if self.running:
            return
        self.saved = {r: number(f"(unsigned long)${r}") for r in PARKED + ["rsp"]}
        sp = number(f"{RT}->fibers[{self.thread}].sp")
        for i, register in enumerate(PARKED):
            gdb.execute(f"set ${register} = *(unsigned long *){sp + 8 + 8 * i}")
        gdb.execute(f"set $rsp = {sp + 64}")

    def __exit__(self, *ignored):
        if not self.running:
            for register, old in self.saved.items():
                gdb.execute(f"set ${register} = {old}")


def is_ours(frame):
    name, place = frame.name() or "", frame.find_sal().symtab
    return name.startswith(("hd_", "__heddle")) or (place and "src/runtime/" in place.filename)


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
    for thread in live():
        with Fiber(thread) as ignored:
            stack = frames()
        mark = "*" if thread == number(f"{RT}->cur") else " "
        print(f"{mark} {thread:3} {thread_name(thread):8} {stack[0] if stack else 'not started yet'}")


def show_thread(thread):
    if thread not in live():
        raise gdb.GdbError(f"there is no thread {thread} now; see `heddle threads`")
    with Fiber(thread) as ignored:
        for i, line in enumerate(frames()):
            print(f"#{i}  {line}")


def select_program():
    """Up to the first frame that is the program's."""
    frame = gdb.newest_frame()
    while frame is not None and is_ours(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()


def goto(step):
    if step < 0:
        raise gdb.GdbError("there is no step before the first")
    if step < number(f"{RT}->n_log") or step == 0:
        stop_at(step, "run")
    elif step > number(f"{RT}->n_log"):
        stop_at(step, "continue")
    now = number(f"{RT}->n_log")
    print(f"after step {now}, in {thread_name(number(f'{RT}->cur'))}")
    select_program()


def stop_at(step, how):
    """A breakpoint before the decision that follows the step."""
    at = gdb.Breakpoint("hd_replay_decide", internal=True)
    at.silent = True
    at.condition = f"{RT}->n_log == {step}"
    try:
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
            count = int(words[1]) if len(words) > 1 else 1
            if words[0] == "threads":
                show_threads()
            elif words[0] == "thread":
                show_thread(count)
            elif words[0] == "step":
                goto(number(f"{RT}->n_log") + count)
            elif words[0] == "back":
                goto(number(f"{RT}->n_log") - count)
            elif words[0] == "goto":
                goto(count)
            else:
                raise IndexError
        except (IndexError, ValueError):
            raise gdb.GdbError("heddle threads | thread N | step [N] | back [N] | goto N") from None


def begin():
    """To the violation."""
    gdb.execute("set confirm off")
    gdb.execute("set pagination off")
    gdb.execute("set breakpoint pending on", to_string=True)
    gdb.execute("set print thread-events off")
    end = gdb.Breakpoint("hd_replay_over")
    end.silent = True
    gdb.execute("run", to_string=True)
    steps = number(f"{RT}->n_log")
    if gdb.selected_frame().name() == "hd_replay_over" and number("(unsigned long)finding"):
        print(f"heddle: {value('finding->message').string()}")
    print(f"heddle: the run stands after step {steps}; `help heddle` for going along it")
    show_threads()
    select_program()


Heddle()
begin()
