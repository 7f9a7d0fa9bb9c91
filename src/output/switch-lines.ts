import { FTRACE_EVENTS } from '../events/ftrace-events.js';
import { readersOf } from '../events/read-fields.js';
import type { EventPrinters } from './event-printers.js';
import type { TraceRecord } from './record.js';
import { commOf, type TraceView } from './trace-view.js';

const read = readersOf(FTRACE_EVENTS.context_switch);
/** Letters of a task's states, by index. */
const STATES = 'RSDTtXZPI';

function readSwitch(record: TraceRecord) {
  const state = (index: number): string => STATES[index] ?? '?';
  return {
    prevPid: read.prev_pid(record),
    prevPrio: read.prev_prio(record),
    prevState: state(read.prev_state(record)),
    nextPid: read.next_pid(record),
    nextPrio: read.next_prio(record),
    nextState: state(read.next_state(record)),
    nextCpu: read.next_cpu(record),
  };
}

const task = (pid: number, prio: number, state: string): string =>
  `${String(pid).padStart(7)}:${String(prio).padStart(3)}:${state}`;

/**
 * Prints a switch from one task to another, or a wake-up: ` 4711:120:R ==> [000] 312:120:R Timeout` (trace_ctxwake_print).
 * @param arrow `==>` for a switch, `  +` for a wake-up
 */
export function switchPrinters(view: TraceView, arrow: string, rawState?: string): EventPrinters {
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
