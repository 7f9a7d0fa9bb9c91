import { defineEvent, type EventDeclaration, type TraceEvent } from './define.js';
import { address, addresses, type FieldSpecs, one, rest } from './fields.js';

const SWITCH_FIELDS = {
  prev_pid: one('unsigned int'),
  next_pid: one('unsigned int'),
  next_cpu: one('unsigned int'),
  prev_prio: one('unsigned char'),
  prev_state: one('unsigned char'),
  next_prio: one('unsigned char'),
  next_state: one('unsigned char'),
} as const;

const switchPrint = (arrow: string): string =>
  `"%u:%u:%u  ${arrow} %u:%u:%u [%03u]", REC->prev_pid, REC->prev_prio, REC->prev_state, REC->next_pid, REC->next_prio, REC->next_state, REC->next_cpu`;

/** Frames of a stack that the format files show. */
const STACK_ENTRIES = 8;
const STACK_PRINT =
  '"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n" "\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n" "\\t=> %ps\\n\\t=> %ps\\n", ' +
  Array.from({ length: STACK_ENTRIES }, (_, i) => `(void *)REC->caller[${i}]`).join(', ');

/** An event of the group, whose id never changes. */
const ftrace = <const F extends FieldSpecs>(name: string, id: number, declaration: EventDeclaration<F>): TraceEvent<F> => ({
  ...defineEvent('ftrace', name, declaration),
  id,
});

/**
 * The events of group `ftrace` by name: what the tracers, trace_marker and the stack options write into the ring buffer.
 * Ids, fields and print formats are those that Linux 6.1 shows under events/ftrace (kernel/trace/trace_entries.h).
 *
 * Behind the kernel's last field of some, at `size`, fentry appends what readers which know only the kernel's fields pass over.
 * A record that ends there has none of it. Text is UTF-8, cut where a character ends.
 *
 * - function: u8 count, then count times { u8 length, bytes }: the rendered arguments; or registers (register-arguments.ts).
 * - funcgraph_entry: u8 flags (ENTRY_RESUMED), then arguments as above.
 * - funcgraph_exit: u8 flags (EXIT_UNWOUND, EXIT_SUSPENDED, EXIT_REGISTER), u8 length, bytes of the rendered return value
 *   (length 0: none; an empty text cannot be a rendered value).
 * - Both, of a coroutine that resumes or is suspended, after a word with the flags alone: the lower word of the time of its call,
 *   which its parts have in common.
 */
export const FTRACE_EVENTS = {
  function: ftrace('function', 1, {
    fields: { ip: address, parent_ip: address },
    print: '" %ps <-- %ps", (void *)REC->ip, (void *)REC->parent_ip',
    hasId: true,
  }),
  context_switch: ftrace('context_switch', 2, { fields: SWITCH_FIELDS, print: switchPrint('==>') }),
  wakeup: ftrace('wakeup', 3, { fields: SWITCH_FIELDS, print: switchPrint('==+') }),
  kernel_stack: ftrace('kernel_stack', 4, {
    fields: { size: one('int'), caller: addresses(STACK_ENTRIES) },
    print: STACK_PRINT,
  }),
  print: ftrace('print', 5, {
    fields: { ip: address, buf: rest('char') },
    print: '"%ps: %s", (void *)REC->ip, REC->buf',
    hasId: true,
    hasTrigger: true,
  }),
  bprint: ftrace('bprint', 6, {
    fields: { ip: address, fmt: one('const char *'), buf: rest('u32') },
    print: '"%ps: %s", (void *)REC->ip, REC->fmt',
  }),
  funcgraph_exit: ftrace('funcgraph_exit', 10, {
    fields: {
      func: address,
      depth: one('int'),
      overrun: one('unsigned int'),
      calltime: one('unsigned long long'),
      rettime: one('unsigned long long'),
    },
    print:
      '"<-- %ps (%d) (start: %llx  end: %llx) over: %d", (void *)REC->func, REC->depth, REC->calltime, REC->rettime, REC->depth',
    packed: true,
  }),
  funcgraph_entry: ftrace('funcgraph_entry', 11, {
    fields: { func: address, depth: one('int') },
    print: '"--> %ps (%d)", (void *)REC->func, REC->depth',
    packed: true,
  }),
  user_stack: ftrace('user_stack', 12, {
    fields: { tgid: one('unsigned int'), caller: addresses(STACK_ENTRIES) },
    print: STACK_PRINT,
  }),
  bputs: ftrace('bputs', 14, {
    fields: { ip: address, str: one('const char *') },
    print: '"%ps: %s", (void *)REC->ip, REC->str',
  }),
  hwlat: ftrace('hwlat', 15, {
    fields: {
      duration: one('u64'),
      outer_duration: one('u64'),
      nmi_total_ts: one('u64'),
      tv_sec: one('s64'),
      tv_nsec: one('long'),
      nmi_count: one('unsigned int'),
      seqnum: one('unsigned int'),
      count: one('unsigned int'),
    },
    print:
      '"cnt:%u\\tts:%010llu.%010lu\\tinner:%llu\\touter:%llu\\tcount:%d\\tnmi-ts:%llu\\tnmi-count:%u\\n", REC->seqnum, REC->tv_sec, REC->tv_nsec, REC->duration, REC->outer_duration, REC->count, REC->nmi_total_ts, REC->nmi_count',
  }),
  raw_data: ftrace('raw_data', 18, {
    fields: { id: one('unsigned int'), buf: rest('char') },
    print: '"id:%04x %08x", REC->id, (int)REC->buf[0]',
  }),
  func_repeats: ftrace('func_repeats', 19, {
    fields: {
      ip: address,
      parent_ip: address,
      count: one('u16'),
      top_delta_ts: one('u16'),
      bottom_delta_ts: one('u32'),
    },
    print:
      '" %ps <-%ps\\t(repeats:%u  delta: -%llu)", (void *)REC->ip, (void *)REC->parent_ip, REC->count, (((u64)(REC)->top_delta_ts << 32) | (REC)->bottom_delta_ts)',
  }),
} as const;

/** Flag of an entry: it is a coroutine that resumes after it was suspended. */
export const ENTRY_RESUMED = 1;
/** An exception ended the function; there was no return. */
export const EXIT_UNWOUND = 1;
/** The coroutine was suspended (await, yield): it left the graph and will come back. */
export const EXIT_SUSPENDED = 2;
/** What was returned is not rendered: its bytes are the 64 bits of the register. */
export const EXIT_REGISTER = 4;

/** common_flags bits (enum trace_flag_type). */
export const TRACE_FLAG = {
  IRQS_OFF: 0x01,
  IRQS_NOSUPPORT: 0x02,
  NEED_RESCHED: 0x04,
  HARDIRQ: 0x08,
  SOFTIRQ: 0x10,
  PREEMPT_RESCHED: 0x20,
  NMI: 0x40,
  BH_OFF: 0x80,
} as const;
