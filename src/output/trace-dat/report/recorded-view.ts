import { DEFAULT_OPTIONS } from '../../../ftrace/options.js';
import { TRACE_CMD } from '../../dialect.js';
import { typeOf } from '../../record.js';
import { RecordMerge } from '../../record-merge.js';
import type { TraceView } from '../../trace-view.js';
import { isFentrys } from '../is-fentrys.js';
import type { OpenTraceDat } from '../open.js';
import { OpenCursors } from '../open-cursors.js';
import { RecordedPlaces } from '../recorded-places.js';
import { KallsymsTable, RecordedFrames, RecordedSymbols } from './kallsyms-table.js';
import { parsePrintkFormats, RecordedEvents } from './recorded-events.js';
import type { ReportOptions } from './report-options.js';

/** How the times of a recording are printed. */
export interface ShownTimes {
  readonly clockInNs: boolean;
  /** Seconds that are added to the records' times. */
  readonly seconds: number;
}

/** How the records of a file are printed, as `trace-cmd report` does. */
export function recordedView(
  dat: OpenTraceDat,
  { nanoseconds, latency, tailprint, depth, parent, indent, extras, places, cpus }: ReportOptions,
  { clockInNs, seconds }: ShownTimes,
  table = new KallsymsTable(dat.kallsyms, isFentrys(dat)),
): TraceView {
  const { formats, cmdlines, printkFormats } = dat;
  const hasAppended = (extras ?? true) && isFentrys(dat);
  const recorded = new RecordedPlaces(dat);
  const symbols = new RecordedSymbols(table, places ? recorded : undefined);
  const frames = new RecordedFrames(table, recorded);
  return {
    dialect: TRACE_CMD,
    tracer: 'nop',
    options: {
      ...DEFAULT_OPTIONS,
      'irq-info': false,
      'latency-format': latency ?? false,
      'print-parent': parent ?? false,
      'funcgraph-tail': tailprint ?? false,
      'funcgraph-retval': true,
    },
    symbols: () => symbols,
    ...(hasAppended && { stackSymbols: () => frames }),
    events: new RecordedEvents(formats),
    hasAppended,
    ...(hasAppended && { hasBeginnings: () => hasBeginnings(dat, cpus) }),
    isIndented: indent ?? true,
    hasDepths: depth ?? false,
    printkFormats: parsePrintkFormats(printkFormats),
    comm: (pid) => cmdlines.get(pid),
    tgid: () => undefined,
    cpus: dat.buffers[0]?.cpus.length ?? 0,
    clockInNs,
    timeDigits: nanoseconds === true ? 9 : 6,
    timeOrigin: seconds,
    timeStart: 0,
  };
}

/** Whether there is the beginning of a call, in any buffer. */
function hasBeginnings(dat: OpenTraceDat, cpus: ReadonlySet<number> | undefined): boolean {
  const id = new RecordedEvents(dat.formats).find('ftrace', 'funcgraph_entry')?.id;
  return dat.buffers.some((buffer) => {
    const merge = new RecordMerge(new OpenCursors(dat, buffer, cpus, 0).cursors);
    while (!merge.isEmpty) {
      merge.take();
      if (typeOf(merge) === id) return true;
    }
    return false;
  });
}
