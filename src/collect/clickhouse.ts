import { post, receiverOf } from './http-post.js';
import {
  type Batch,
  type Cell,
  type Column,
  type ColumnType,
  type RowGroup,
  type RowSink,
  TABLES,
  type TableName,
} from './rows.js';

/** How a column's type is called there. Times are seconds, for which all versions have a type, and microseconds beside them. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  time: "DateTime('UTC')",
  text: 'String',
  json: 'String',
  number: 'Nullable(Int64)',
  ns: 'Nullable(Int64)',
  real: 'Nullable(Float64)',
  flag: 'UInt8',
};

/** Columns of every table besides those of its rows; what these are called. */
const EXTRA = [
  ['date', 'Date'],
  ['service', 'String'],
  ['host', 'String'],
  ['time_us', 'Int64'],
  ['batch', 'String'],
] as const;

/** What a name is quoted with: `function` is a word of the language. */
const quoted = (name: string): string => `\`${name}\``;

/** The statement that makes a table: `fentry_calls`. */
export function clickhouseTable(table: TableName, engine?: string): string {
  const columns = [...EXTRA, ...TABLES[table].map(({ name, type }) => [name, TYPES[type]] as const)];
  const lines = columns.map(([name, type]) => `  ${quoted(name)} ${type}`).join(',\n');
  const made = engine ?? 'MergeTree() PARTITION BY date ORDER BY (service, host, time)';
  return `CREATE TABLE IF NOT EXISTS fentry_${table} (\n${lines}\n) ENGINE = ${made}`;
}

/** Cells as ClickHouse takes them in JSON. */
function cellOf(cell: Cell, type: ColumnType): Cell {
  if (type === 'time') return Math.floor((cell as number) / 1e6);
  if (type === 'flag') return cell ? 1 : 0;
  return cell === null && (type === 'text' || type === 'json') ? '' : cell;
}

/** The rows of a group, a line each. `batch` names them. */
export function jsonEachRow({ table, date, service, host, rows }: RowGroup, batch: string): string {
  const columns: readonly Column[] = TABLES[table];
  return rows
    .map((row) => {
      const cells = columns.map(({ name, type }, at) => [name, cellOf(row[at] ?? null, type)]);
      return `${JSON.stringify({ date, service, host, time_us: row[0], batch, ...Object.fromEntries(cells) })}\n`;
    })
    .join('');
}

/**
 * ClickHouse over HTTP: a group of rows is an INSERT, which the server stores whole or not at all. Where it is not known whether
 * the server has a group already, after a crash or an error, it is asked; a token says the same to servers that leave out what
 * they have.
 */
export class ClickHouse implements RowSink {
  readonly name: string;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #made = new Set<TableName>();
  #signal: AbortSignal | undefined;
  /** How many groups of a batch were taken before one was refused. */
  #taken = { batch: '', groups: 0 };
  #knowsTokens = true;
  /** Whether the server has only what it has answered for. */
  #isSure = false;

  constructor(target: string) {
    const { url, headers } = receiverOf(target);
    this.#url = url;
    this.#headers = { ...headers, 'content-type': 'text/plain; charset=utf-8' };
    this.name = `ClickHouse at ${url.origin}`;
  }

  async store({ id, groups }: Batch, signal?: AbortSignal): Promise<void> {
    this.#signal = signal;
    if (this.#taken.batch !== id) this.#taken = { batch: id, groups: 0 };
    for (const group of groups.slice(this.#taken.groups)) {
      await this.#make(group.table);
      const name = `${id}-${group.table}-${group.date}-${group.service}`;
      if (this.#isSure || !(await this.#has(group, name))) {
        this.#isSure = false;
        await this.#insert(group, name);
        this.#isSure = true;
      }
      this.#taken.groups++;
    }
  }

  /** Whether the server has a group. */
  async #has({ table, date }: RowGroup, name: string): Promise<boolean> {
    const word = name.replace(/[\\']/g, '\\$&');
    const question = `SELECT count() FROM fentry_${table} WHERE date = '${date}' AND batch = '${word}' FORMAT TabSeparated`;
    return Number((await post(this.#url, question, this.#headers, this.#signal)).text) > 0;
  }

  /** Makes a table if it is not there: who wants another engine has made it. */
  async #make(table: TableName): Promise<void> {
    if (this.#made.has(table)) return;
    await post(this.#url, clickhouseTable(table), this.#headers, this.#signal);
    this.#made.add(table);
  }

  async #insert(group: RowGroup, token: string): Promise<void> {
    const url = new URL(this.#url);
    url.searchParams.set('query', `INSERT INTO fentry_${group.table} FORMAT JSONEachRow`);
    if (this.#knowsTokens) url.searchParams.set('insert_deduplication_token', token);
    try {
      await post(url, jsonEachRow(group, token), this.#headers, this.#signal);
    } catch (error) {
      // Servers before 22.2 know no tokens, and have stored nothing then.
      if (!this.#knowsTokens || !/insert_deduplication_token/.test((error as Error).message)) throw error;
      this.#knowsTokens = false;
      await this.#insert(group, token);
    }
  }
}
