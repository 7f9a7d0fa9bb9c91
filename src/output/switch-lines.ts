import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import type { EventPrinters } from './event-printers.js';
import type { TraceRecord } from './record.js';
import { commOf, type TraceView } from './trace-view.js';

const { fields } = FTRACE_EVENTS.context_switch;
/** Letters of a task's states, by index. */
const STATES = 'RSDTtXZPI';

interface Switch {
  readonly prevPid: number;
  readonly prevPrio: number;
  readonly prevState: string;
  readonly nextPid: number;
  readonly nextPrio: number;
  readonly nextState: string;
  readonly nextCpu: number;
}

function readSwitch({ words, bytes, at }: TraceRecord): Switch {
  const byte = (field: { readonly offset: number }): number => bytes[at * 4 + field.offset]!;
  const state = (field: { readonly offset: number }): string => STATES[byte(field)] ?? '?';
  return {
    prevPid: words[at + (fields.prev_pid.offset >> 2)]!,
    prevPrio: byte(fields.prev_prio),
    prevState: state(fields.prev_state),
    nextPid: words[at + (fields.next_pid.offset >> 2)]!,
    nextPrio: byte(fields.next_prio),
    nextState: state(fields.next_state),
    nextCpu: words[at + (fields.next_cpu.offset >> 2)]!,
  };
}

const task = (pid: number, prio: number, state: string): string =>
  `${String(pid).padStart(7)}:${String(prio).padStart(3)}:${state}`;

/**
 * Prints who runs after whom, or who woke whom: `   4711:120:R ==> [000]    312:120:R Timeout` (trace_ctxwake_print).
 * @param arrow `==>` for a switch, `  +` for a wake-up
 */
function switchPrinters(view: TraceView, arrow: string, rawState?: string): EventPrinters {
  return {
    trace(seq, record) {
      const one = readSwitch(record);
      const cpu = String(one.nextCpu).padStart(3, '0');
      const next = `${task(one.nextPid, one.nextPrio, one.nextState)} ${commOf(view, one.nextPid)}`;
      seq.text(` ${task(one.prevPid, one.prevPrio, one.prevState)} ${arrow} [${cpu}] ${next}\n`);
    },
    raw(seq, record) {
      const one = readSwitch(record);
      const prev = `${one.prevPid} ${one.prevPrio} ${rawState ?? one.prevState}`;
      seq.text(`${prev} ${one.nextCpu} ${one.nextPid} ${one.nextPrio} ${one.nextState}\n`);
    },
  };
}

/** The printers of context_switch and wakeup records. */
export const switchLines = (view: TraceView): (readonly [type: number, printers: EventPrinters])[] => [
  [FTRACE_EVENTS.context_switch.id, switchPrinters(view, '==>')],
  [FTRACE_EVENTS.wakeup.id, switchPrinters(view, '  +', '+')],
];
