import type { Long } from '../events/c-types.js';
import { MAX_DEPTH, MAX_INDENTED } from './graph-depth.js';
import { KERNEL_FLAGS, TRACE_CMD_FLAGS } from './latency-flags.js';

/** How a duration fills its column. */
export interface DurationStyle {
  /** Signs of durations longer than so many ns, the longest first; none is a blank. */
  readonly marks: readonly (readonly [longerThan: number, sign: string])[];
  /** A duration that has none in any case. */
  readonly unmarked?: number;
  /** The most digits with decimals. */
  readonly digits: number;
  /** Characters of the number and the blanks behind its unit. */
  readonly width: number;
}

/**
 * What the kernel's `trace` (kernel/trace/trace_output.c, trace_functions_graph.c) and `trace-cmd report` (its library
 * libtraceevent and its plugins) print differently of the same records.
 */
export interface Dialect {
  /** Events that are printed by code. All others are printed as their print format says. */
  readonly byHand: ReadonlySet<string>;
  /** Whether synthetic events are printed by code, not as their print format says (print_synth_event). */
  readonly printsSynthetic: boolean;
  /** The width of the events' names, which then stand before every text. Undefined: only before what a print format prints. */
  readonly nameWidth: number | undefined;
  /** What is printed of an event without a format, with its type for `%d`. */
  readonly unknown: string;
  /** What stands around the number of lost events; the first only if that is known. */
  readonly lost: readonly [before: string, after: string];
  /** Whether a line gets its newline only if the event's text does not end with one. */
  readonly sharesNewline: boolean;
  readonly pidWidth: number;
  /** What follows the cpu. */
  readonly cpuGap: string;
  /** Three characters for each value of common_flags. */
  readonly flags: Uint8Array;
  /** Whether times of the latency format are relative, with the delay until the next record. */
  readonly hasDelays: boolean;
  /** What stands before the 12 columns of a clock that does not count time. */
  readonly counterGap: string;
  readonly duration: DurationStyle;
  /**
   * The deepest indentation of a call whose callers are in the recording. The kernel's graph has at most 50 levels
   * (FTRACE_RETFUNC_DEPTH), and nobody can tell hundreds apart in `trace`; trace-cmd indents every call.
   */
  readonly mostIndented: number;
  /** Whether an exit ends a leaf only if no other cpu's record lies between it and its entry. */
  readonly needsNextExit: boolean;
  /** Whether a closing brace has the function's name if its entry was not seen. */
  readonly namesUnmatched: boolean;
  /** Whether a closing brace is commented with an address that has no name. */
  readonly namesUnknown: boolean;
  /** Before the digits of an address without a name, in the graph and in stacks. */
  readonly graphHex: string;
  /** Between a function and its caller. */
  readonly parent: string;
  /** Whether a caller that is not known, address 0, is left out. */
  readonly skipsNoParent: boolean;
  /** Around the number of repeats, before the time. */
  readonly repeats: readonly [before: string, after: string];
  readonly stack: { readonly title: string; readonly frame: string; readonly hasAddresses: boolean };
  /** What `%p` shows of 64 bits. */
  pointer(bits: Long): string;
  /** What __print_array shows. */
  array(elements: readonly Long[]): string;
}

export const KERNEL: Dialect = {
  byHand: new Set([
    'function',
    'context_switch',
    'wakeup',
    'kernel_stack',
    'print',
    'user_stack',
    'bputs',
    'hwlat',
    'raw_data',
    'func_repeats',
  ]),
  printsSynthetic: true,
  nameWidth: undefined,
  unknown: 'Unknown type %d\n',
  lost: ['LOST ', 'EVENTS'],
  sharesNewline: false,
  pidWidth: 7,
  cpuGap: ' ',
  flags: KERNEL_FLAGS,
  hasDelays: true,
  counterGap: ' ',
  duration: {
    marks: [
      [1e9, '$'],
      [1e8, '@'],
      [1e7, '*'],
      [1e6, '#'],
      [1e5, '!'],
      [1e4, '+'],
    ],
    digits: 7,
    width: 8,
  },
  mostIndented: MAX_INDENTED,
  needsNextExit: false,
  namesUnmatched: true,
  namesUnknown: true,
  graphHex: '0x',
  parent: ' <-',
  skipsNoParent: true,
  repeats: [' (repeats: ', ', last_ts:'],
  stack: { title: '<stack trace>\n', frame: ' => ', hasAddresses: false },
  pointer: (bits) => bits.toString(16).padStart(16, '0'),
  array: (elements) => `{${elements.map((element) => `0x${element.toString(16)}`)}}`,
};

export const TRACE_CMD: Dialect = {
  byHand: new Set(['function', 'funcgraph_entry', 'funcgraph_exit', 'print', 'bputs', 'func_repeats', 'kernel_stack']),
  printsSynthetic: false,
  nameWidth: 22,
  unknown: `${'(NULL): '.padEnd(22)}[UNKNOWN EVENT %d]\n`,
  lost: ['', 'EVENTS DROPPED'],
  sharesNewline: true,
  pidWidth: 5,
  cpuGap: '',
  flags: TRACE_CMD_FLAGS,
  hasDelays: false,
  counterGap: '',
  duration: {
    marks: [
      [1e9, '$'],
      [1e6, '#'],
      [1e5, '!'],
      [1e4, '+'],
    ],
    unmarked: -1,
    digits: 9,
    width: 7,
  },
  mostIndented: MAX_DEPTH,
  needsNextExit: true,
  namesUnmatched: false,
  namesUnknown: false,
  graphHex: '',
  parent: ' <-- ',
  skipsNoParent: false,
  repeats: [' (count: ', '  last_ts:'],
  stack: { title: '<stack trace >\n', frame: '=> ', hasAddresses: true },
  // That of the C library.
  pointer: (bits) => (Number(bits) === 0 ? '(nil)' : `0x${bits.toString(16)}`),
  array: (elements) => elements.join(' '),
};
