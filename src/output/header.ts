import { commOf, isGraph, type TraceView } from './trace-view.js';

/** The counts of the header's second line. */
export interface HeaderCounts {
  readonly entries: number;
  /** Entries and overruns. */
  readonly written: number;
  readonly isEmpty: boolean;
}

const infoLines = (view: TraceView, counts: HeaderCounts): string =>
  `# entries-in-buffer/entries-written: ${counts.entries}/${counts.written}   #P:${view.cpus}\n#\n`;

function plainColumns(tgid: boolean): string {
  const [title, mark] = tgid ? ['   TGID   ', '     |    '] : ['', ''];
  return `#           TASK-PID    ${title} CPU#     TIMESTAMP  FUNCTION\n#              | |      ${mark}   |         |         |\n`;
}

function irqColumns(tgid: boolean): string {
  const gap = ' '.repeat(tgid ? 12 : 2);
  const width = gap.length;
  const before = `#                            ${gap}`;
  return [
    `${before}  _-----=> irqs-off/BH-disabled`,
    `${before} / _----=> need-resched`,
    `${before}| / _---=> hardirq/softirq`,
    `${before}|| / _--=> preempt-depth`,
    `${before}||| / _-=> migrate-disable`,
    `${before}|||| /     delay`,
    `#           TASK-PID  ${'     TGID   '.slice(0, width)} CPU#  |||||  TIMESTAMP  FUNCTION`,
    `#              | |    ${'       |    '.slice(0, width)}   |   |||||     |         |`,
    '',
  ].join('\n');
}

const LATENCY_COLUMNS = [
  '#                    _------=> CPU#            ',
  '#                   / _-----=> irqs-off/BH-disabled',
  '#                  | / _----=> need-resched    ',
  '#                  || / _---=> hardirq/softirq ',
  '#                  ||| / _--=> preempt-depth   ',
  '#                  |||| / _-=> migrate-disable ',
  '#                  ||||| /     delay           ',
  '#  cmd     pid     |||||| time  |   caller     ',
  '#     \\   /        ||||||  \\    |    /       ',
  '',
].join('\n');

/** The data of the latency header: the machine, and the task that had the latency. */
export interface LatencyInfo {
  readonly release: string;
  readonly latencyNs: number;
  readonly cpu: number;
  readonly pid: number;
  readonly uid: number;
  /** The task's policy, as SCHED_FIFO is 1 and SCHED_DEADLINE 6; 0 when absent. */
  readonly policy?: number;
  readonly rtPrio?: number;
  /** Where the latency started and ended, if the tracer knows: names of functions. */
  readonly critical?: { readonly start: string; readonly end: string };
}

const criticalLines = (start: string, end: string): string => `#  => started at: ${start}\n#  => ended at:   ${end}\n#\n`;

/** The header of latency-format above the columns (print_trace_header). */
function latencyHeader(view: TraceView, counts: HeaderCounts, info: LatencyInfo): string {
  const micros = Math.floor((info.latencyNs + 500) / 1000);
  return [
    `# ${view.tracer} latency trace v1.1.5 on ${info.release}`,
    '# --------------------------------------------------------------------',
    `# latency: ${micros} us, #${counts.entries}/${counts.written}, CPU#${info.cpu} | (M:server VP:0, KP:0, SP:0 HP:0 #P:${view.cpus})`,
    '#    -----------------',
    `#    | task: ${info.pid === 0 ? '' : commOf(view, info.pid)}-${info.pid} (uid:${info.uid} nice:0 policy:${info.policy ?? 0} rt_prio:${info.rtPrio ?? 0})`,
    '#    -----------------',
    `${info.critical === undefined ? '' : criticalLines(info.critical.start, info.critical.end)}#`,
    '',
  ].join('\n');
}

/** The columns' headings for all tracers but function_graph (trace_default_header). */
function defaultHeader(view: TraceView, counts: HeaderCounts, info: LatencyInfo): string {
  const { options } = view;
  if (!options['context-info']) return '';
  if (options['latency-format']) {
    if (counts.isEmpty) return '';
    return latencyHeader(view, counts, info) + (options.verbose ? '' : LATENCY_COLUMNS);
  }
  if (options.verbose) return '';
  const tgid = options['record-tgid'];
  return infoLines(view, counts) + (options['irq-info'] ? irqColumns(tgid) : plainColumns(tgid));
}

function graphLatencyColumns(view: TraceView): string {
  const { options } = view;
  let width = 0;
  if (options['funcgraph-abstime']) width += 16;
  if (view.relativeTime === true) width += 16;
  if (options['funcgraph-cpu']) width += 4;
  if (options['funcgraph-proc']) width += 17;
  const before = `#${' '.repeat(width)}`;
  return [
    `${before}  _-----=> irqs-off        `,
    `${before} / _----=> need-resched    `,
    `${before}| / _---=> hardirq/softirq `,
    `${before}|| / _--=> preempt-depth   `,
    `${before}||| /                      `,
    '',
  ].join('\n');
}

/** The columns' headings of function_graph (print_graph_headers_flags). */
function graphHeader(view: TraceView, counts: HeaderCounts, info: LatencyInfo): string {
  const { options } = view;
  if (!options['context-info']) return '';
  const latency = options['latency-format'];
  if (latency && counts.isEmpty) return '';
  const columns: [on: boolean, title: string, mark: string][] = [
    [options['funcgraph-abstime'], '     TIME       ', '      |         '],
    [view.relativeTime === true, '   REL TIME     ', '      |         '],
    [options['funcgraph-cpu'], ' CPU', ' |  '],
    [options['funcgraph-proc'], '  TASK/PID       ', '   |    |        '],
    [latency, '||||   ', '||||   '],
    [options['funcgraph-duration'], '  DURATION   ', '   |   |      '],
  ];
  const shown = columns.filter(([on]) => on);
  const titles = shown.map(([, title]) => title).join('');
  const marks = shown.map(([, , mark]) => mark).join('');
  const above = latency ? latencyHeader(view, counts, info) + graphLatencyColumns(view) : '';
  return `${above}#${titles}               FUNCTION CALLS\n#${marks}               |   |   |   |\n`;
}

/** Everything above the first record: `# tracer: NAME` and the tracer's header. */
export function traceHeader(view: TraceView, counts: HeaderCounts, info: LatencyInfo): string {
  const header = isGraph(view) ? graphHeader : defaultHeader;
  return `# tracer: ${view.tracer}\n#\n${header(view, counts, info)}`;
}
