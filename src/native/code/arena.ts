/**
 * The private data of a traced process: memory that fentry maps there, which the emitted code and the host both use. All numbers
 * are bytes. What the host writes and the code reads stands in the gate, what the code writes in the other parts.
 */
import { PAGE, upToPage } from '../../base/page.js';
import { lowWord } from '../../base/words.js';

/**
 * The first page. It has MADV_WIPEONFORK: in a forked child it reads as zeros, so that the child records nothing and takes no new
 * frames.
 */
export const GATE = {
  /** u32: OPEN */
  OPEN: 0,
  /** u32: where in the gate the present clock is. The host writes the other one, then this word. */
  CLOCK: 4,
  /** u32: calls deeper than this are not followed; 0: none are. */
  MAX_DEPTH: 8,
  /** u32: whether set_graph_function names any: then only those and what they call are followed. */
  HAS_GRAPH_FUNCTIONS: 12,
  /** u64: tracing_thresh in ns; not 0: entries are not recorded, and exits only of calls that took as long. */
  THRESHOLD: 16,
  /** u32: PROFILE_MODE; 0: the profiler is off. While it is on, function_graph is not. */
  PROFILE: 24,
  /** u32: whether exits have what was returned (funcgraph-retval); only looked at while OPEN is not ALL. */
  RESULTS: 28,
  /** u32: whether entries have what registers had (funcgraph-args); only looked at while OPEN is not ALL. */
  ARGUMENTS: 32,
  /** Two clocks. */
  CLOCKS: 64,
} as const;

/** Bits of GATE.PROFILE. */
export const PROFILE_MODE = {
  ON: 1,
  /** Flag: without sleep-time: times are those that the thread ran. */
  RUN_TIME: 2,
  /** Flag: without graph-time: the time of profiled functions inside is left out. */
  OWN_TIME: 4,
} as const;

/** What is recorded and followed. Open frames return as they must at any time. */
export const OPEN = {
  /** Nothing. */
  NOT: 0,
  /** All calls; the other words of the gate, but for the clock, need no look. */
  ALL: 1,
  /** What the other words of the gate, and the functions' flags, allow. */
  LIMITED: 2,
} as const;

/** A clock in the gate: ns = ((counter - BASE) * MULTIPLIER >> Machine.clockShift) + OFFSET, each u64. */
export const CLOCK = { BASE: 0, MULTIPLIER: 8, OFFSET: 16, BYTES: 32 } as const;

/** Words that threads share, in the page behind the gate; each u64. */
export const SHARED = {
  /** The address of THREAD_WORDS, which the host shares. */
  THREAD_WORDS: PAGE,
  /** Blocks that wait for a thread: READY[TAKEN % READY_SLOTS] is the next one, there are GIVEN in all. */
  TAKEN: PAGE + 64,
  GIVEN: PAGE + 128,
  /** The address of the block that was taken last; each leads to the one before it. */
  CHAIN: PAGE + 192,
  /**
   * u32: the main thread's id; u64: its own stack. The host sets them; what a thread with other stacks is told, it finds out by
   * itself.
   */
  MAIN_TID: PAGE + 256,
  MAIN_STACK_LOW: PAGE + 264,
  MAIN_STACK_HIGH: PAGE + 272,
  /** u32: not 0: all buffers are to be dumped; u32: the thread whose cpu's buffer is. The host clears them. */
  DUMP: PAGE + 320,
  DUMP_CPU: PAGE + 324,
  /** What the program has asked for SIGTRAP while probes' breakpoints use it (SIGNAL_ACTION). */
  TRAP_ACTION: PAGE + 384,
  /** u32: not 0: the system calls code here for SIGTRAP. */
  HANDLES_TRAPS: PAGE + 448,
} as const;

/** struct sigaction of the system: u64 each. */
export const SIGNAL_ACTION = { HANDLER: 0, FLAGS: 8, RESTORER: 16, MASK: 24, BYTES: 32 } as const;

/**
 * Open-addressed table of threads: `tp`, the thread pointer, and the address of the thread's block. 0: free. A thread changes
 * only its own entry, and takes a free one by an exchange.
 */
export const THREAD_ENTRY = { TP: 0, BLOCK: 8, BYTES: 16 } as const;
/** A power of two. */
export const THREAD_ENTRIES = 4096;
/** Entries that are looked at before the table counts as full. */
export const MOST_PROBES = 64;
const THREADS = 2 * PAGE;

/** u32: numbers of blocks. */
export const READY_SLOTS = 1024;
const READY = THREADS + THREAD_ENTRIES * THREAD_ENTRY.BYTES;

/**
 * Open-addressed table of the breakpoints that probes have put into the text: the address of an INT3, and that of the thunk to
 * which it leads; each u64, the address last. 0: free. An entry stays when its breakpoint goes: a thread may be on its way.
 */
export const TRAP_ENTRY = { ADDRESS: 0, THUNK: 8, BYTES: 16 } as const;
/** A power of two; at most half of them are used. */
export const TRAP_ENTRIES = 8192;
/** Where the table is in each arena. */
export const TRAPS = READY + READY_SLOTS * 4;
/** The entry at which an address is looked for first: its low 32 bits with a shifted copy of themselves. */
export const TRAP_SHIFT = 13;
/** The entry of the table at which an address is looked for first. */
export function trapIndex(address: number): number {
  const low = lowWord(address) >>> 0;
  return (low ^ (low >>> TRAP_SHIFT)) & (TRAP_ENTRIES - 1);
}

/**
 * What is known of a function, by its number: u64 address in records, u32 flags, u32 its operations' distance from the arena's
 * start or 0.
 */
export const FUNCTION = { IP: 0, FLAGS: 8, OPERATIONS: 12, BYTES: 16 } as const;
export const FUNCTION_FLAG = {
  /** set_graph_function */
  GRAPH: 1,
  /** set_graph_notrace */
  NOTRACE: 2,
} as const;
const FUNCTIONS = TRAPS + TRAP_ENTRIES * TRAP_ENTRY.BYTES;

/**
 * What the site of a function does besides the top level's plain tracers: a list of these, ended by a ROUTINE of 0. Each is u64:
 * the address of code, and what that code takes. A list is never changed: a function gets another one.
 */
export const OPERATION = { ROUTINE: 0, A: 8, B: 16, C: 24, BYTES: 32 } as const;
const OPERATIONS_BYTES = 2 ** 26;

/** What a block has of an instance other than the top level: the address of the writer in use, or 0, and two writers. */
export const INSTANCE = { IN_USE: 0, REPEATS: 8, WRITERS: 64, BYTES: 576 } as const;
/**
 * What func-no-repeats knows of the last call of a thread in an instance: u64 the function's address, that of its caller, the
 * time of the last repeat; u32 how often it was repeated.
 */
export const REPEATS = { IP: 0, PARENT: 8, LAST: 16, COUNT: 24 } as const;
/** Instances that threads can write to at the same time, besides the top level. */
export const MOST_INSTANCES = 63;

/** A thread's block, before its frames. */
export const BLOCK = {
  /** u64: the thread that has it; 0: none. */
  TP: 0,
  /** u32 */
  TID: 8,
  /** u32: not 0: the thread records nothing (set_ftrace_pid). */
  IGNORED: 12,
  /** u64: the thread's own stack; both 0: not known yet. */
  STACK_LOW: 16,
  STACK_HIGH: 24,
  /** u64: bytes of the frames on the shadow stack. */
  TOP: 32,
  /** u64: calls that were too deep for the shadow stack. */
  TOO_DEEP: 40,
  /** u64: events that found no ring. */
  RINGLESS: 48,
  /** u64: the address of the writer in use. */
  WRITER: 56,
  /** u64: the address of the block before it in the chain of all that were ever taken; 0: none. */
  NEXT: 64,
  /** u32: whether the block is in that chain. */
  CHAINED: 72,
  /** u32: about how many free frames there are below the top. */
  HOLES: 76,
  /** u32: how many graves were ever filled. */
  BURIED: 80,
  /** u32: not 0: set_event_pid leaves the thread out. */
  EVENTS_IGNORED: 84,
  /** u64: what can be read without asking the system: the thread's stack, from the stack pointer on; both 0: nothing. */
  READ_LOW: 88,
  READ_HIGH: 96,
  /** u64: the address of the writer of events that have triggers; 0: none. */
  HEARD: 104,
  /** u32: bits of the lists of tasks that leave the thread out, as tracers' configurations name them. */
  IGNORED_LISTS: 112,
  /** The place on the stack of the probe whose record is at SCRATCH; 0: none is. */
  SCRATCH_USER: 120,
  /** Three writers: the one in use, that of the snapshot's memory, and HEARD_WRITER. */
  WRITERS: 128,
  /**
   * u64: what a thread that runs JavaScript too has of its shadow stack (src/ftrace/fgraph.ts): the addresses of its state,
   * functions, call times and wants; all 0: it runs none, or fentry does not trace it.
   */
  JS_STATE: 896,
  JS_FUNCTIONS: 904,
  JS_CALLTIMES: 912,
  JS_WANTS: 920,
  /** u64: the address of what the profiler counts on the thread (src/ftrace/integer-profile.ts); 0: nothing. */
  PROFILE: 928,
  /** u64: the addresses of the DeepestStack, and of the thread's part of it; both 0: stacks are not measured. */
  DEEPEST: 936,
  DEEPEST_PART: 944,
  /** The place on the stack of the call whose stack is being written there; 0: none is. */
  DEEPEST_USER: 952,
  /** u64: how many measured calls were put at MEASURED and not taken away, and how many of these have no room there any more. */
  MEASURED_COUNT: 960,
  MEASURED_GONE: 968,
  /** REPEATS of the top level. */
  REPEATS: 976,
  /** The address of the word that has the block's owner (THREAD_WORDS); 0: only the host gives the block to another thread. */
  OWNER: 1008,
  /** u32: what IGNORED, IGNORED_LISTS and EVENTS_IGNORED are for a thread that the host does not know yet. */
  NEW_IGNORED: 1016,
  NEW_IGNORED_LISTS: 1020,
  NEW_EVENTS_IGNORED: 1024,
  GRAVES: PAGE,
  /** Where a probe's record is made, before it is written to a ring. */
  SCRATCH: 5 * PAGE,
  /** The measured calls, the outermost first; number n is at n % MEASURED_CALLS. */
  MEASURED: 7 * PAGE,
  /** What is before the first frame is never written: it reads as one that is free. */
  FRAMES: 23 * PAGE + 64,
} as const;

/** A call that the stack tracer has measured, u64 each: where its return address is, and that. */
export const MEASURED = { SLOT: 0, RETURN: 8, BYTES: 16 } as const;
/** A power of two. */
export const MEASURED_CALLS = 4096;

/**
 * What is known of a place that has a probe, by the number that its code pushes; each u64. It lies in memory that the host
 * shares.
 */
export const PROBE = {
  /** The address of what records; 0: nothing does. */
  HANDLER: 0,
  /** The address in its records. */
  IP: 8,
  /** The address of a u32: hits that were not recorded. */
  MISSED: 16,
  BYTES: 32,
} as const;
export const PROBES = 65_536;

/** The number of the writer that BLOCK.HEARD means, behind those of the rings. */
export const HEARD_WRITER = 2;

/** A ring's writer: addresses and counts are u64. */
export const WRITER = {
  /** Address of the ring's memory; 0: none. */
  RING: 0,
  /** Address of the instance's STATE word. */
  SWITCH: 8,
  /** u32: STATE when this writer last followed it. */
  STATE: 16,
  /** u32: number among the instance's writers. */
  CPU: 20,
  /** The place on the stack of the call of which an event is being written; 0: none is. */
  BUSY: 24,
  /** Where the next event goes. */
  POSITION: 32,
  /** Up to where events fit without a look at the page; the position on a new page. */
  LIMIT: 40,
  /** Time of the last event, as a reader computes it; of no meaning in a writer that counts. */
  STAMP: 48,
  PAGE_START: 56,
  PAGE_END: 64,
  /** Events on the page. */
  COUNT: 72,
  /** u32 */
  PAGE: 80,
  /** u32 */
  SERIAL: 84,
  SUBBUF_BYTES: 88,
  /** Address of the first page. */
  PAGES: 96,
  /** Number of the page's first event. */
  FIRST: 104,
  /** The counters of the ring as integers. */
  BYTES_WRITTEN: 128,
  OVERRUN: 136,
  DROPPED: 144,
  COMMIT_OVERRUN: 152,
  TOUCHED: 160,
  LOST: 168,
  /** Address of the writer that takes over when a snapshot is taken; 0: none. */
  SPARE: 176,
  /** Address of the word of the block that says which writer is in use. */
  IN_USE: 184,
  /** u32: how far a change of pages is, as PAGE_MOVE says. */
  MOVE: 192,
  /** What the change of pages is going to make of the fields of these names, and the page that it is going to. */
  NEXT_PAGE: 196,
  NEXT_FIRST: 200,
  NEXT_BYTES: 208,
  NEXT_OVERRUN: 216,
  NEXT_LOST: 224,
  NEXT_TOUCHED: 232,
  /** u32 */
  NEXT_SERIAL: 240,
  /** u32: not 0: the times of events are counts of the processor's counter. LIMIT lets no event fit then. */
  COUNTS: 244,
  /** What STAMP is in other writers, where COUNTS is set. */
  COUNT_STAMP: 248,
  BYTES: 256,
} as const;

/** Steps of a change of pages. */
export const PAGE_MOVE = {
  /** There is none. */
  NONE: 0,
  /** The writer's fields are those of the page that is to be left. */
  LEAVING: 1,
  /** The next page is chosen; NEXT_... say what the fields become. */
  ENTERING: 2,
} as const;

/** A frame of the shadow stack: a call whose return goes through a thunk. */
export const FRAME = {
  /**
   * u64: where on the stack the return address is, plus FRAME_INCOMPLETE until the rest of the frame is there; 0: the frame is
   * free.
   */
  SLOT: 0,
  /** u64: the return address of the caller. */
  RETURN: 8,
  /** u64: ns. */
  CALLTIME: 16,
  /** u64: the function's address in records. */
  IP: 24,
  /** u64: the address that stands at SLOT meanwhile: where the function returns to. */
  EXIT: 32,
  /** u16 */
  DEPTH: 40,
  /** u16: FRAME_FLAG */
  FLAGS: 42,
  /**
   * u32, in a thread that runs JavaScript too: the frames of JavaScript that were open before this call, and the word NATIVE
   * then.
   */
  JS_DEPTH: 44,
  BEFORE: 48,
  /** Fields of a call that the profiler measures: u32, the function's number; u64, ns of profiled calls in it. */
  NUMBER: 52,
  SUBTIME: 56,
  BYTES: 64,
} as const;
/**
 * What is kept of the last frames that were dropped as dead, u64 each. Memory of the thread's own stack may be a coroutine's
 * stack or that of signal handlers; then a frame that seemed dead returns after all.
 */
export const GRAVE = { SLOT: 0, RETURN: 8, EXIT: 16, BYTES: 32 } as const;
export const GRAVES = 512;

/** Added to a frame's SLOT, which is a multiple of 8. */
export const FRAME_INCOMPLETE = 1;
export const FRAME_FLAG = {
  /** An entry record was written, so an exit record is due. */
  RECORDED: 1,
  /** Inside a call of a set_graph_function. */
  IN_GRAPH: 2,
  /** Inside a call of a set_graph_notrace function. */
  IN_NOTRACE: 4,
  /** A return probe hears its end: also behind a jump to another function. */
  PROBED: 8,
  /** The profiler counts its time. */
  PROFILED: 16,
  /** CALLTIME is the time that the thread had run. */
  RUN_TIME: 32,
} as const;

/** How large an arena is. */
export interface ArenaSize {
  /** Threads that can have a block at the same time. */
  readonly threads: number;
  /** Frames of each thread. */
  readonly frames: number;
  /** Functions: their numbers are less. */
  readonly functions: number;
}

/** Where the parts of an arena are, from its start. */
export interface ArenaLayout extends ArenaSize {
  readonly threadTable: number;
  readonly ready: number;
  readonly functionTable: number;
  /** Memory for lists of operations. */
  readonly operations: number;
  readonly blocks: number;
  readonly blockBytes: number;
  /** Where a block has its instances. */
  readonly instances: number;
  readonly bytes: number;
}

/** The layout for a size. Only what is used takes memory. */
export function arenaLayout(size: ArenaSize): ArenaLayout {
  const operations = upToPage(FUNCTIONS + size.functions * FUNCTION.BYTES);
  const blocks = operations + OPERATIONS_BYTES;
  const instances = upToPage(BLOCK.FRAMES + size.frames * FRAME.BYTES);
  const blockBytes = upToPage(instances + MOST_INSTANCES * INSTANCE.BYTES);
  const bytes = blocks + size.threads * blockBytes;
  if (bytes >= 2 ** 31) throw new RangeError(`an arena of ${bytes} bytes: 2 GiB or more`);
  return {
    ...size,
    threadTable: THREADS,
    ready: READY,
    functionTable: FUNCTIONS,
    operations,
    blocks,
    blockBytes,
    instances,
    bytes,
  };
}

/** The offset of a thread's block. */
export const blockAt = (layout: ArenaLayout, block: number): number => layout.blocks + block * layout.blockBytes;
