import type { TableName } from '../tables/columns.js';
import { TableData } from '../tables/table-data.js';

/** What every row has besides the columns of its table: a folder names them in its paths, a database has a column of each. */
export interface Origin {
  readonly service: string;
  readonly host: string;
}

/** Rows of a table that came from one service on one day. */
export interface RowGroup extends Origin {
  readonly table: TableName;
  /** `2026-11-27`, of the rows' times in UTC. */
  readonly date: string;
  readonly rows: TableData;
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

/** Microseconds of a day. */
export const DAY = 86_400e6;

/** Puts rows into groups by table, service and day. */
export class RowGroups {
  readonly #host: string;
  readonly #groups = new Map<string, RowGroup>();

  constructor(host: string) {
    this.#host = host;
  }

  /** @param day since 1970, in UTC */
  of(table: TableName, service: string, day: number): TableData {
    const key = `${table}\n${service}\n${day}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      const date = new Date((day * DAY) / 1000).toISOString().slice(0, 10);
      group = { table, service, host: this.#host, date, rows: new TableData(table, 'fleet') };
      this.#groups.set(key, group);
    }
    return group.rows;
  }

  /** The groups, in the order of their first rows. */
  all(): readonly RowGroup[] {
    return Array.from(this.#groups.values()).filter(({ rows }) => rows.length > 0);
  }

  /** Returns what removes the rows that are added from now on. */
  mark(): () => void {
    const lengths = new Map(Array.from(this.#groups.values(), ({ rows }) => [rows, rows.length]));
    return () => {
      for (const { rows } of this.#groups.values()) rows.cut(lengths.get(rows) ?? 0);
    };
  }
}
