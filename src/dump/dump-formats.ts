import type { Dump } from './dumped-recording.js';

/** A format that recordings are written in: the verb `dump` has its option, its help and its errors from here. */
export interface DumpFormat {
  /** The option that chooses it, without dashes. */
  readonly option: string;
  /** Lines of help: what it is, and what opens it. */
  readonly help: readonly string[];
  /** Text that a person can read, data that is written to a file or a pipe, or several files. */
  readonly writes: 'text' | 'data' | 'files';
  /** What opens such a file, for a person who would have it on the terminal. */
  readonly opens?: string;
  /** Loads what writes it. */
  load(): Promise<{ readonly dump: Dump }>;
}

/** The formats, in the order of the help. */
export const DUMP_FORMATS = [
  {
    option: 'perfetto',
    help: [
      "Perfetto's own format: calls, events, async contexts and counters, for ui.perfetto.dev",
      'and its trace processor; a third of the size of --chrome',
    ],
    writes: 'data',
    opens: 'ui.perfetto.dev',
    load: () => import('./perfetto/perfetto-trace.js'),
  },
  {
    option: 'chrome',
    help: ['the same as JSON, for chrome://tracing, DevTools and other readers'],
    writes: 'data',
    opens: 'ui.perfetto.dev',
    load: () => import('./chrome-trace.js'),
  },
  {
    option: 'speedscope',
    help: ['the calls of each thread, for speedscope.app'],
    writes: 'data',
    opens: 'speedscope.app',
    load: () => import('./speedscope.js'),
  },
  {
    option: 'cpuprofile',
    help: ["the calls of one thread as a profile of V8's, for DevTools (Bottom-up, Call tree), VS Code and speedscope.app"],
    writes: 'data',
    opens: 'DevTools',
    load: () => import('./cpu-profile.js'),
  },
  {
    option: 'pprof',
    help: [
      'calls, self time and allocations (kmem:kmalloc, kmem:heap_sample) by stack, with the route and the type of context as',
      'labels (events of http and sched): for pprof, Pyroscope, Datadog',
    ],
    writes: 'data',
    opens: 'pprof',
    load: () => import('./pprof.js'),
  },
  {
    option: 'parquet',
    help: ['two tables, for DuckDB, pandas and others: a row a call in FILE.parquet, a row an event in', 'FILE.events.parquet'],
    writes: 'files',
    opens: 'DuckDB',
    load: () => import('./parquet.js'),
  },
  {
    option: 'flame-graph',
    help: ['a line for each stack, with its own time in nanoseconds: for speedscope, flamegraph.pl'],
    writes: 'text',
    load: () => import('./flame-graph.js'),
  },
  {
    option: 'html',
    help: ['a page that works offline, the one of fentry open, with the recording inside'],
    writes: 'data',
    opens: 'a browser',
    load: () => import('./html.js'),
  },
  {
    option: 'html-sources',
    help: ["the same with the sources of the application's functions inside"],
    writes: 'data',
    opens: 'a browser',
    load: async () => ({ dump: (await import('./html.js')).dumpWithSources }),
  },
] as const satisfies readonly DumpFormat[];
