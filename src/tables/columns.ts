/**
 * What a column holds: `ns` are nanoseconds, `time` is a moment in microseconds since 1970 (UTC), `json` a text that seldom comes
 * again. Numbers may be null: then they are not known. Texts are empty then.
 */
export type ColumnType = 'time' | 'text' | 'json' | 'number' | 'ns' | 'real' | 'flag';

/** Where tables are: a recording's are what `dump --parquet` writes, a fleet's what `collect` stores. */
export type TablePlace = 'recording' | 'fleet';

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** What it means: for the documentation, and for a database's comment. */
  readonly meaning: string;
  /** Only these tables have it; absent: both. */
  readonly only?: TablePlace;
}

/** A value in the form of its column's type; null: it is not known. */
export type Cell = string | number | boolean | null;

const WHEN = [
  { name: 'time', type: 'time', meaning: 'when it began; null in recordings without the time of day' },
  { name: 'clock', type: 'ns', meaning: 'the same by the clock of the recording' },
] as const satisfies readonly Column[];

const WHO = [
  { name: 'pid', type: 'number', meaning: 'the process' },
  { name: 'program', type: 'text', meaning: 'what it runs' },
  { name: 'release', type: 'text', meaning: 'what --release says', only: 'fleet' },
  { name: 'thread', type: 'number', meaning: 'the thread: 0 is the main one; null: of all threads' },
  { name: 'thread_name', type: 'text', meaning: 'its name', only: 'recording' },
  { name: 'instance', type: 'text', meaning: 'the instance that recorded it; empty for the top level', only: 'recording' },
] as const satisfies readonly Column[];

const FOR = [
  { name: 'context', type: 'number', meaning: 'the async context; null if contexts were not recorded' },
  {
    name: 'trace_id',
    type: 'text',
    meaning: 'the trace of the OpenTelemetry SDK that it was done for, with otel:span_switch; empty: none',
  },
  { name: 'span_id', type: 'text', meaning: 'the span in it' },
  { name: 'request', type: 'number', meaning: 'the request that it was done for: the id of its events', only: 'recording' },
  { name: 'route', type: 'text', meaning: 'the route of that request', only: 'recording' },
] as const satisfies readonly Column[];

const FUNCTION = [
  { name: 'function', type: 'text', meaning: 'the function' },
  { name: 'package', type: 'text', meaning: 'its npm package; empty for the application’s own' },
  { name: 'file', type: 'text', meaning: 'where it is defined, as its author has it; empty if that is not known' },
  { name: 'line', type: 'number', meaning: 'the line there; null if that is not known' },
] as const satisfies readonly Column[];

/** The tables, and their columns in their order, of all places. */
export const TABLES = {
  calls: [
    ...WHEN,
    { name: 'duration', type: 'ns', meaning: 'on the stack, since it came there last; null for the tracer function' },
    { name: 'self', type: 'ns', meaning: 'the same without the functions that it called' },
    { name: 'total', type: 'ns', meaning: 'from call to return with the waiting, in the row where it returns' },
    ...FUNCTION,
    { name: 'own', type: 'flag', meaning: 'whether it is the application’s own' },
    ...WHO,
    ...FOR,
    { name: 'depth', type: 'number', meaning: 'how many recorded calls were around it' },
    { name: 'arguments', type: 'text', meaning: 'its arguments, if they were recorded', only: 'recording' },
    { name: 'result', type: 'text', meaning: 'its result, if that was recorded', only: 'recording' },
    { name: 'resumed', type: 'flag', meaning: 'an async function or generator that goes on' },
    { name: 'suspended', type: 'flag', meaning: 'one that will go on later: no call yet, and its self counts' },
    { name: 'unfinished', type: 'flag', meaning: 'a call whose end was not recorded', only: 'recording' },
  ],
  events: [
    ...WHEN,
    { name: 'system', type: 'text', meaning: 'the event’s system' },
    { name: 'event', type: 'text', meaning: 'the event' },
    ...WHO,
    ...FOR,
    { name: 'fields', type: 'json', meaning: 'its fields as a JSON object; whole numbers beyond 2^53 are texts' },
    { name: 'text', type: 'json', meaning: 'the event as fentry report prints it', only: 'recording' },
  ],
  turns: [
    ...WHEN,
    { name: 'duration', type: 'ns', meaning: 'the turn of the event loop' },
    { name: 'began', type: 'text', meaning: 'what the event loop called first: timer, request ...' },
    ...FUNCTION,
    ...WHO,
    { name: 'share', type: 'real', meaning: 'the part of the turn that the function took, which took most, from 0 to 1' },
    { name: 'turn', type: 'json', meaning: 'all that fentry slow --json says of it' },
  ],
  histograms: [
    ...WHEN,
    { name: 'system', type: 'text', meaning: 'the event’s system' },
    { name: 'event', type: 'text', meaning: 'the event' },
    ...WHO,
    { name: 'trigger', type: 'text', meaning: 'the histogram: keys=..., vals=...' },
    { name: 'key', type: 'json', meaning: 'the keys of the entry' },
    { name: 'hitcount', type: 'number', meaning: 'how often, since the histogram was made' },
    { name: 'values', type: 'json', meaning: 'its other values, as sums since then' },
  ],
  lost: [
    ...WHEN,
    ...WHO,
    { name: 'events', type: 'number', meaning: 'records that were lost before this time; null: not known how many' },
    { name: 'reason', type: 'text', meaning: 'buffer: it was full; size: the collector’s space was; damage' },
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

/** The name of a table. */
export type TableName = keyof typeof TABLES;
/** The name of a column of any table. */
export type ColumnName = (typeof TABLES)[TableName][number]['name'];

/** The names of the tables. */
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

/** The columns that a table has at a place. */
export const columnsOf = (table: TableName, place: TablePlace): readonly Column[] =>
  (TABLES[table] as readonly Column[]).filter(({ only }) => only === undefined || only === place);
