import { type ColumnType, columnsOf, type TableName } from '../tables/columns.js';
import { post, receiverOf } from './http-post.js';
import { jsonEachRow, rowBinary } from './row-binary.js';
import type { Batch, RowGroup, RowSink } from './rows.js';

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

/** The columns of a table there, and their types. */
export const clickhouseColumns = (table: TableName): readonly (readonly [name: string, type: string])[] => [
  ...EXTRA,
  ...columnsOf(table, 'fleet').map(({ name, type }) => [name, TYPES[type]] as const),
];

/** The statement that makes a table: `fentry_calls`. */
export function clickhouseTable(table: TableName, engine?: string): string {
  const lines = clickhouseColumns(table)
    .map(([name, type]) => `  ${quoted(name)} ${type}`)
    .join(',\n');
  const made = engine ?? 'MergeTree() PARTITION BY date ORDER BY (service, host, time)';
  return `CREATE TABLE IF NOT EXISTS fentry_${table} (\n${lines}\n) ENGINE = ${made}`;
}

/** Formats of an INSERT, and what makes them. */
const FORMATS = { RowBinary: rowBinary, JSONEachRow: jsonEachRow } as const;

/** A type without what does not change its bytes in RowBinary. */
const plainType = (type: string): string => type.replace(/LowCardinality\((\w+)\)/g, '$1');

/**
 * ClickHouse over HTTP: a group of rows is an INSERT, which the server stores whole or not at all. Where it is not known whether
 * the server has a group already, after a crash or an error, it is asked; a token says the same to servers that leave out what
 * they have.
 */
export class ClickHouse implements RowSink {
  readonly name: string;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  /** The tables that are there, and how rows are given to each. */
  readonly #made = new Map<TableName, keyof typeof FORMATS>();
  #signal: AbortSignal | undefined;
  /** How many groups of a batch were taken before one was refused. */
  #taken = { batch: '', groups: 0 };
  #knowsTokens = true;
  /** Whether the server has only what it has answered for. */
  #isSure = false;

  constructor(target: string) {
    const { url, headers } = receiverOf(target);
    this.#url = url;
    this.#headers = { ...headers, 'content-type': 'application/octet-stream' };
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

  /** Makes a table if it is not there: who wants another engine or other types has made it. */
  async #make(table: TableName): Promise<void> {
    if (this.#made.has(table)) return;
    await post(this.#url, clickhouseTable(table), this.#headers, this.#signal);
    const { text } = await post(this.#url, `DESCRIBE TABLE fentry_${table} FORMAT TabSeparated`, this.#headers, this.#signal);
    const types = new Map(
      text.split('\n').map((line) => {
        const [name = '', type = ''] = line.split('\t');
        return [name, plainType(type.replace(/\\'/g, "'"))] as const;
      }),
    );
    // RowBinary has no types: JSON fits others, too.
    const isOurs = clickhouseColumns(table).every(([name, type]) => types.get(name) === type);
    this.#made.set(table, isOurs ? 'RowBinary' : 'JSONEachRow');
  }

  async #insert(group: RowGroup, token: string): Promise<void> {
    const { table } = group;
    const format = this.#made.get(table)!;
    const names = clickhouseColumns(table).map(([name]) => quoted(name));
    const url = new URL(this.#url);
    url.searchParams.set('query', `INSERT INTO fentry_${table} (${names.join(', ')}) FORMAT ${format}`);
    if (this.#knowsTokens) url.searchParams.set('insert_deduplication_token', token);
    try {
      await post(url, FORMATS[format](group, token), this.#headers, this.#signal);
    } catch (error) {
      // Servers before 22.2 know no tokens, and have stored nothing then.
      if (!this.#knowsTokens || !/insert_deduplication_token/.test((error as Error).message)) throw error;
      this.#knowsTokens = false;
      await this.#insert(group, token);
    }
  }
}
