import type { OptionSpecs, OptionValues } from './arguments.js';

/** The letters of trace-cmd that say what is traced; `record` and `start` share them. */
export const TRACER_OPTIONS = {
  tracer: { type: 'string', short: 'p' },
  function: { type: 'string', short: 'l', multiple: true },
  notrace: { type: 'string', short: 'n', multiple: true },
  graph: { type: 'string', short: 'g', multiple: true },
  option: { type: 'string', short: 'O', multiple: true },
  clock: { type: 'string', short: 'C' },
  buffer: { type: 'string', short: 'b' },
  'max-graph-depth': { type: 'string' },
} as const satisfies OptionSpecs;
/** Their values on a command line. */
export type TracerOptions = OptionValues<typeof TRACER_OPTIONS>;

/** What --help says of them. */
export const TRACER_HELP = `  -p TRACER              function or function_graph (the default)
  -l FUNC                trace only functions that match; * ? [] as in a shell,
                         :mod:PACKAGE for those of a package; may be repeated
  -n FUNC                leave out functions that match; may be repeated
  -g FUNC                graph only what this function calls; may be repeated
  -O OPTION              a trace option, as funcgraph-args or nofuncgraph-irqs
  -C CLOCK               whose times the events have: mono, counter, uptime ...
  -b KB                  size of each thread's buffer
  --max-graph-depth N    graph no deeper than N calls
`;

/** The tracer when -p names none. */
export const DEFAULT_TRACER = 'function_graph';
