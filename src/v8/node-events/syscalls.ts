import { array, int, long, size, string, type TraceField, uint, ulong } from '../../tracepoint/fields.js';
import type { Tracepoint } from '../../tracepoint/tracepoint.js';
import { listenToSyscalls, type SyscallListener } from './boundary/syscall-hook.js';
import { type ArgumentKind, SYSCALLS, type SyscallName } from './boundary/syscall-table.js';
import { type NodeEvent, type NodeEventSource, nodeEventSystem } from './node-event-system.js';

type Enter = readonly [nr: number, req: number, values: readonly unknown[]];
type Exit = readonly [nr: number, req: number, ret: number];

/** An argument as the record has it. */
const FIELD: Readonly<Record<ArgumentKind, (get: (...args: Enter) => unknown) => TraceField<Enter>>> = {
  int: (get) => uint(get as never),
  fd: (get) => uint(get as never),
  text: (get) => string(get as never),
  size: (get) => size(get as never),
  long: (get) => ulong(get as never),
};

function enterEvent(name: SyscallName): NodeEvent<Enter> {
  const args = Object.entries<ArgumentKind>(SYSCALLS[name].args);
  const fields: Record<string, TraceField<Enter>> = { __syscall_nr: int((nr) => nr) };
  for (const [i, [argument, kind]] of args.entries()) fields[argument] = FIELD[kind]((_nr, _req, values) => values[i]);
  fields.req = ulong((_nr, req) => req);
  const format = args.map(([argument, kind]) => `${argument}: ${kind === 'text' ? '\\"%s\\"' : '0x%08lx'}`);
  const values = args.map(([argument, kind]) =>
    kind === 'text' ? `__get_str(${argument})` : `((unsigned long)(REC->${argument}))`,
  );
  return { args: ['nr', 'req', 'values'], fields, print: [`"${format.join(', ')}"`, ...values].join(', ') };
}

const EXIT: NodeEvent<Exit> = {
  args: ['nr', 'req', 'ret'],
  fields: { __syscall_nr: int((nr) => nr), ret: long((_nr, _req, ret) => ret), req: ulong((_nr, req) => req) },
  print: '"0x%lx", REC->ret',
};

const names = Object.keys(SYSCALLS) as SyscallName[];
const enterName = (name: string): string => `sys_enter_${name}`;
const exitName = (name: string): string => `sys_exit_${name}`;
const events = Object.fromEntries<unknown>(
  names.flatMap((name) => [
    [enterName(name), enterEvent(name)],
    [exitName(name), EXIT],
  ]),
);

/** The tracepoints of one call. */
interface Pair {
  readonly enter: Tracepoint<Enter>;
  readonly exit: Tracepoint<Exit>;
}

/** The system calls of Node's library as pairs of events: sys_enter_NAME, sys_exit_NAME (kernel/trace/trace_syscalls.c). */
export const syscalls = nodeEventSystem<Record<string, never[]>>('syscalls', {
  events: events as never,
  sources: [
    {
      events: Object.keys(events),
      start(trace, { eventCall }) {
        const pairOf = (name: SyscallName): Pair => ({
          enter: trace[enterName(name)] as unknown as Pair['enter'],
          exit: trace[exitName(name)] as unknown as Pair['exit'],
        });
        const pairs = Object.fromEntries(names.map((name) => [name, pairOf(name)])) as Record<SyscallName, Pair>;
        return listenToSyscalls({
          enter(name, nr, req, values, place) {
            eventCall.place = place;
            pairs[name].enter(nr, req, values);
            eventCall.place = 0;
          },
          exit(name, nr, req, ret, place) {
            eventCall.place = place;
            pairs[name].exit(nr, req, ret);
            eventCall.place = 0;
          },
        });
      },
    },
  ],
});

type RawEvents = { sys_enter: Enter; sys_exit: Exit };

const rawSource: NodeEventSource<RawEvents> = {
  events: ['sys_enter', 'sys_exit'],
  start: ({ sys_enter: entered, sys_exit: exited }, { eventCall }) => {
    const listener: SyscallListener = {
      enter(_name, nr, req, values, place) {
        eventCall.place = place;
        entered(nr, req, values);
        eventCall.place = 0;
      },
      exit(_name, nr, req, ret, place) {
        eventCall.place = place;
        exited(nr, req, ret);
        eventCall.place = 0;
      },
    };
    return listenToSyscalls(listener);
  },
};

/** System calls as one pair of events (include/trace/events/syscalls.h). Texts among the arguments are 0. */
export const rawSyscalls = nodeEventSystem<RawEvents>('raw_syscalls', {
  events: {
    sys_enter: {
      args: ['nr', 'req', 'values'],
      fields: {
        id: long((nr) => nr),
        args: array('unsigned long', 6, (_nr, _req, values) => values as readonly number[]),
        req: ulong((_nr, req) => req),
      } satisfies Record<string, TraceField<Enter>>,
      print:
        '"NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)", REC->id, REC->args[0], REC->args[1], REC->args[2], REC->args[3], REC->args[4], REC->args[5]',
    },
    sys_exit: {
      args: ['nr', 'req', 'ret'],
      fields: {
        id: long((nr) => nr),
        ret: long((_nr, _req, ret) => ret),
        req: ulong((_nr, req) => req),
      } satisfies Record<string, TraceField<Exit>>,
      print: '"NR %ld = %ld", REC->id, REC->ret',
    },
  },
  sources: [rawSource],
});
