/**
 * The events of group `ftrace`: what the tracers, trace_marker and the stack options write into the ring buffer.
 * Ids, fields and print formats are those that Linux 6.1 shows under events/ftrace (kernel/trace/trace_entries.h).
 */

/** One field of a record; offset and size in bytes from the start of the record (its payload in the ring buffer). */
export interface EventField {
  /** The C type as the format file spells it, without the name. */
  readonly type: string;
  readonly offset: number;
  /** 0 for an array that runs to the end of the record. */
  readonly size: number;
  readonly signed: boolean;
  /** What follows the name: `[8]`, `[]`. */
  readonly array: string;
}

/** An event's format, as its `format` file shows it. */
export interface EventFormat {
  readonly id: number;
  readonly fields: Readonly<Record<string, EventField>>;
  /** The text after `print fmt: `. */
  readonly print: string;
  /** Whether the event has an `id` file: of group ftrace the kernel gives one only to those that can be enabled. */
  readonly hasId?: boolean;
  /** Whether it has a `trigger` file. */
  readonly hasTrigger?: boolean;
}

const unsigned = (type: string, offset: number, size: number, array = ''): EventField => ({
  type,
  offset,
  size,
  signed: false,
  array,
});
const signed = (type: string, offset: number, size: number, array = ''): EventField => ({
  type,
  offset,
  size,
  signed: true,
  array,
});

/** The header that every record begins with. */
export const COMMON_FIELDS = {
  common_type: unsigned('unsigned short', 0, 2),
  common_flags: unsigned('unsigned char', 2, 1),
  common_preempt_count: unsigned('unsigned char', 3, 1),
  common_pid: signed('int', 4, 4),
} as const satisfies Record<string, EventField>;

const SWITCH_FIELDS = {
  prev_pid: unsigned('unsigned int', 8, 4),
  next_pid: unsigned('unsigned int', 12, 4),
  next_cpu: unsigned('unsigned int', 16, 4),
  prev_prio: unsigned('unsigned char', 20, 1),
  prev_state: unsigned('unsigned char', 21, 1),
  next_prio: unsigned('unsigned char', 22, 1),
  next_state: unsigned('unsigned char', 23, 1),
} as const;

const switchPrint = (arrow: string): string =>
  `"%u:%u:%u  ${arrow} %u:%u:%u [%03u]", REC->prev_pid, REC->prev_prio, REC->prev_state, REC->next_pid, REC->next_prio, REC->next_state, REC->next_cpu`;

const STACK_PRINT =
  '"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n" "\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n" "\\t=> %ps\\n\\t=> %ps\\n", ' +
  Array.from({ length: 8 }, (_, i) => `(void *)REC->caller[${i}]`).join(', ');

/** The ftrace events by name (kernel/trace/trace_entries.h): their ids, and where each field lies in a record. */
export const FTRACE_EVENTS = {
  function: {
    id: 1,
    fields: { ip: unsigned('unsigned long', 8, 8), parent_ip: unsigned('unsigned long', 16, 8) },
    print: '" %ps <-- %ps", (void *)REC->ip, (void *)REC->parent_ip',
    hasId: true,
  },
  context_switch: { id: 2, fields: SWITCH_FIELDS, print: switchPrint('==>') },
  wakeup: { id: 3, fields: SWITCH_FIELDS, print: switchPrint('==+') },
  kernel_stack: {
    id: 4,
    fields: { size: signed('int', 8, 4), caller: unsigned('unsigned long', 16, 64, '[8]') },
    print: STACK_PRINT,
  },
  print: {
    id: 5,
    fields: { ip: unsigned('unsigned long', 8, 8), buf: signed('char', 16, 0, '[]') },
    print: '"%ps: %s", (void *)REC->ip, REC->buf',
    hasId: true,
    hasTrigger: true,
  },
  bprint: {
    id: 6,
    fields: {
      ip: unsigned('unsigned long', 8, 8),
      fmt: unsigned('const char *', 16, 8),
      buf: unsigned('u32', 24, 0, '[]'),
    },
    print: '"%ps: %s", (void *)REC->ip, REC->fmt',
  },
  funcgraph_exit: {
    id: 10,
    fields: {
      func: unsigned('unsigned long', 8, 8),
      depth: signed('int', 16, 4),
      overrun: unsigned('unsigned int', 20, 4),
      calltime: unsigned('unsigned long long', 24, 8),
      rettime: unsigned('unsigned long long', 32, 8),
    },
    print:
      '"<-- %ps (%d) (start: %llx  end: %llx) over: %d", (void *)REC->func, REC->depth, REC->calltime, REC->rettime, REC->depth',
  },
  funcgraph_entry: {
    id: 11,
    fields: { func: unsigned('unsigned long', 8, 8), depth: signed('int', 16, 4) },
    print: '"--> %ps (%d)", (void *)REC->func, REC->depth',
  },
  user_stack: {
    id: 12,
    fields: { tgid: unsigned('unsigned int', 8, 4), caller: unsigned('unsigned long', 16, 64, '[8]') },
    print: STACK_PRINT,
  },
  bputs: {
    id: 14,
    fields: { ip: unsigned('unsigned long', 8, 8), str: unsigned('const char *', 16, 8) },
    print: '"%ps: %s", (void *)REC->ip, REC->str',
  },
  hwlat: {
    id: 15,
    fields: {
      duration: unsigned('u64', 8, 8),
      outer_duration: unsigned('u64', 16, 8),
      nmi_total_ts: unsigned('u64', 24, 8),
      tv_sec: signed('s64', 32, 8),
      tv_nsec: signed('long', 40, 8),
      nmi_count: unsigned('unsigned int', 48, 4),
      seqnum: unsigned('unsigned int', 52, 4),
      count: unsigned('unsigned int', 56, 4),
    },
    print:
      '"cnt:%u\\tts:%010llu.%010lu\\tinner:%llu\\touter:%llu\\tcount:%d\\tnmi-ts:%llu\\tnmi-count:%u\\n", REC->seqnum, REC->tv_sec, REC->tv_nsec, REC->duration, REC->outer_duration, REC->count, REC->nmi_total_ts, REC->nmi_count',
  },
  raw_data: {
    id: 18,
    fields: { id: unsigned('unsigned int', 8, 4), buf: signed('char', 12, 0, '[]') },
    print: '"id:%04x %08x", REC->id, (int)REC->buf[0]',
  },
  func_repeats: {
    id: 19,
    fields: {
      ip: unsigned('unsigned long', 8, 8),
      parent_ip: unsigned('unsigned long', 16, 8),
      count: unsigned('u16', 24, 2),
      top_delta_ts: unsigned('u16', 26, 2),
      bottom_delta_ts: unsigned('u32', 28, 4),
    },
    print:
      '" %ps <-%ps\\t(repeats:%u  delta: -%llu)", (void *)REC->ip, (void *)REC->parent_ip, REC->count, (((u64)(REC)->top_delta_ts << 32) | (REC)->bottom_delta_ts)',
  },
} as const satisfies Record<string, EventFormat>;

/**
 * What fentry appends after the kernel's last field of these records, so that readers which know only the kernel's
 * fields still read them. A record that ends at `offset` has none of it. Text is UTF-8, cut where a character ends.
 *
 * - function: u8 count, then count times { u8 length, bytes }: the rendered arguments.
 * - funcgraph_entry: u8 flags (ENTRY_RESUMED), then arguments as above.
 * - funcgraph_exit: u8 flags (EXIT_UNWOUND, EXIT_SUSPENDED), u8 length, bytes of the rendered return value
 *   (length 0: none; an empty text cannot be a rendered value).
 */
export const APPENDED = {
  function: { offset: 24 },
  funcgraph_entry: { offset: 20 },
  funcgraph_exit: { offset: 40 },
} as const;

/** This entry is a coroutine that goes on after it was suspended. */
export const ENTRY_RESUMED = 1;
/** An exception took the function off the stack; there was no return. */
export const EXIT_UNWOUND = 1;
/** The coroutine was suspended (await, yield): it left the graph and will come back. */
export const EXIT_SUSPENDED = 2;

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
