/** What a column holds: `ns` are nanoseconds, `time` is a moment in microseconds since 1970 (UTC), `json` a text. */
export type ColumnType = 'time' | 'text' | 'json' | 'number' | 'ns' | 'real' | 'flag';

/** A column of a table that processes are collected into. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** What it means: for the documentation, and for a database's comment. */
  readonly meaning: string;
}

/** A value in the form of its column's type; null: it is not known. */
export type Cell = string | number | boolean | null;
/** A row: a cell for each column. */
export type Row = readonly Cell[];

const WHO = [
  { name: 'time', type: 'time', meaning: 'when it began' },
  { name: 'pid', type: 'number', meaning: 'the process' },
  { name: 'program', type: 'text', meaning: 'what it runs' },
  { name: 'release', type: 'text', meaning: 'what --release says' },
  { name: 'thread', type: 'number', meaning: 'the thread: 0 is the main one; of a turn Node’s number; null: of all threads' },
] as const satisfies readonly Column[];

const FUNCTION = [
  { name: 'function', type: 'text', meaning: 'the function' },
  { name: 'package', type: 'text', meaning: 'its npm package; empty for the application’s own' },
  { name: 'file', type: 'text', meaning: 'where it is defined, as its author has it; empty if that is not known' },
  { name: 'line', type: 'number', meaning: 'the line there; 0 if that is not known' },
] as const satisfies readonly Column[];

/**
 * The tables, and their columns in their order. Each row has besides these its service, its host and its date: a folder names
 * them in its paths, a database has a column of each.
 */
export const TABLES = {
  calls: [
    ...WHO,
    { name: 'context', type: 'number', meaning: 'the async context or the task; 0: none' },
    ...FUNCTION,
    { name: 'own', type: 'flag', meaning: 'whether it is the application’s own' },
    { name: 'depth', type: 'number', meaning: 'how many recorded calls were around it' },
    { name: 'duration', type: 'ns', meaning: 'from call to return; null for the tracer function' },
    { name: 'self', type: 'ns', meaning: 'on the stack without the functions that it called, since it came there last' },
    { name: 'suspended', type: 'flag', meaning: 'an async function that goes on later: no call yet, and its self counts' },
  ],
  events: [
    ...WHO,
    { name: 'context', type: 'number', meaning: 'the async context or the task; 0: none' },
    { name: 'system', type: 'text', meaning: 'the event’s system' },
    { name: 'event', type: 'text', meaning: 'the event' },
    { name: 'fields', type: 'json', meaning: 'its fields as a JSON object; whole numbers beyond 2^53 are texts' },
  ],
  turns: [
    ...WHO,
    { name: 'duration', type: 'ns', meaning: 'the turn of the event loop' },
    { name: 'began', type: 'text', meaning: 'what the event loop called first: timer, request ...' },
    ...FUNCTION,
    { name: 'share', type: 'real', meaning: 'the part of the turn that the function took, which took most, from 0 to 1' },
    { name: 'turn', type: 'json', meaning: 'all that fentry slow --json says of it' },
  ],
  histograms: [
    ...WHO,
    { name: 'system', type: 'text', meaning: 'the event’s system' },
    { name: 'event', type: 'text', meaning: 'the event' },
    { name: 'trigger', type: 'text', meaning: 'the histogram: keys=..., vals=...' },
    { name: 'key', type: 'json', meaning: 'the keys of the entry' },
    { name: 'hitcount', type: 'number', meaning: 'how often, since the histogram was made' },
    { name: 'values', type: 'json', meaning: 'its other values, as sums since then' },
  ],
  lost: [
    ...WHO,
    { name: 'events', type: 'number', meaning: 'records that were lost before this time; null: not known how many' },
    { name: 'reason', type: 'text', meaning: 'buffer: it was full; size: the collector’s space was; damage' },
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

/** The name of a table. */
export type TableName = keyof typeof TABLES;

/** The names of the tables. */
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

/** What every row has besides the columns of its table. */
export interface Origin {
  readonly service: string;
  readonly host: string;
}

/** Rows of a table that came from one service on one day. */
export interface RowGroup extends Origin {
  readonly table: TableName;
  /** `2026-11-27`, of the rows' times in UTC. */
  readonly date: string;
  readonly rows: readonly Row[];
}

/** Rows that are stored together, or not at all. */
export interface Batch {
  /** Names the batch: the same for the same rows, also after a crash, and for no others. */
  readonly id: string;
  readonly groups: readonly RowGroup[];
}

/** Where rows go. */
export interface RowSink {
  /** The target in words: `the folder /data/fleet`. */
  readonly name: string;
  /**
   * Stores a batch; one that was stored before is not stored again. Rejects if that cannot be done now: it is tried again.
   * @param signal aborts what the target does not answer
   */
  store(batch: Batch, signal?: AbortSignal): Promise<void>;
}

const MICROSECONDS_A_DAY = 86_400e6;

/** Puts rows into groups by table, service and day. */
export class RowGroups {
  readonly #host: string;
  readonly #groups = new Map<string, { readonly group: RowGroup; readonly rows: Row[] }>();

  constructor(host: string) {
    this.#host = host;
  }

  /** @param row its first cell is its time */
  add(table: TableName, service: string, row: Row): void {
    const day = Math.floor((row[0] as number) / MICROSECONDS_A_DAY);
    const key = `${table}\n${service}\n${day}`;
    let known = this.#groups.get(key);
    if (known === undefined) {
      const rows: Row[] = [];
      const date = new Date((day * MICROSECONDS_A_DAY) / 1000).toISOString().slice(0, 10);
      known = { group: { table, service, host: this.#host, date, rows }, rows };
      this.#groups.set(key, known);
    }
    known.rows.push(row);
  }

  /** The groups, in the order of their first rows. */
  all(): readonly RowGroup[] {
    return Array.from(this.#groups.values(), ({ group }) => group);
  }
}
