import { type Cell, type Column, type ColumnName, columnsOf, type TableName, type TablePlace } from './columns.js';

/** Rows that a table has room for at first. */
const FIRST_ROWS = 1024;

/** Numbers, moments and flags: NaN is null, a flag is 0 or 1. */
export class NumberColumn {
  readonly column: Column;
  values = new Float64Array(FIRST_ROWS);

  constructor(column: Column) {
    this.column = column;
  }

  cell(row: number): Cell {
    const value = this.values[row]!;
    if (this.column.type === 'flag') return value === 1;
    return Number.isNaN(value) ? null : value;
  }

  put(row: number, cell: Cell): void {
    this.values[row] = cell === null ? Number.NaN : Number(cell);
  }
}

/** Texts, most of which come again: each is kept once. */
export class WordColumn {
  readonly column: Column;
  /** The different texts. */
  readonly words: string[] = [];
  /** The number of each row's text among them. */
  indexes = new Uint32Array(FIRST_ROWS);
  readonly #known = new Map<string, number>();
  #last: string | undefined;
  #lastIndex = 0;

  constructor(column: Column) {
    this.column = column;
  }

  cell(row: number): string {
    return this.words[this.indexes[row]!]!;
  }

  put(row: number, word: Cell): void {
    if (word !== this.#last) this.#find(word === null ? '' : String(word));
    this.indexes[row] = this.#lastIndex;
  }

  #find(word: string): void {
    let index = this.#known.get(word);
    if (index === undefined) {
      index = this.words.push(word) - 1;
      this.#known.set(word, index);
    }
    this.#last = word;
    this.#lastIndex = index;
  }
}

/** Texts that seldom come again. */
export class TextColumn {
  readonly column: Column;
  readonly texts: string[] = [];

  constructor(column: Column) {
    this.column = column;
  }

  cell(row: number): string {
    return this.texts[row]!;
  }

  put(row: number, text: Cell): void {
    this.texts[row] = text === null ? '' : String(text);
  }
}

export type ColumnData = NumberColumn | WordColumn | TextColumn;

/** A row: what is not among its cells is null. */
export type NamedCells = { readonly [Name in ColumnName]?: Cell };

/** The rows of a table, column by column: a row is no object, as there are millions of them. */
export class TableData {
  readonly table: TableName;
  readonly columns: readonly ColumnData[];
  /** How many rows there are. */
  length = 0;
  #room = FIRST_ROWS;
  readonly #byName = new Map<string, ColumnData>();

  constructor(table: TableName, place: TablePlace) {
    this.table = table;
    this.columns = columnsOf(table, place).map((column) => {
      if (column.type === 'text') return new WordColumn(column);
      return column.type === 'json' ? new TextColumn(column) : new NumberColumn(column);
    });
    for (const data of this.columns) this.#byName.set(data.column.name, data);
  }

  /** A column of numbers, for code that writes many rows. */
  numbers(name: ColumnName): NumberColumn {
    return this.#byName.get(name) as NumberColumn;
  }

  /** A column of words, for the same. */
  words(name: ColumnName): WordColumn {
    return this.#byName.get(name) as WordColumn;
  }

  /** A column of other texts. */
  texts(name: ColumnName): TextColumn {
    return this.#byName.get(name) as TextColumn;
  }

  /** Begins a row, whose number it returns: each column must be given its cell. */
  begin(): number {
    if (this.length === this.#room) this.#grow();
    return this.length++;
  }

  /** Adds a row. */
  add(row: NamedCells): void {
    const at = this.begin();
    for (const data of this.columns) data.put(at, row[data.column.name as ColumnName] ?? null);
  }

  /** Removes the rows from one on. */
  cut(length: number): void {
    this.length = length;
    for (const data of this.columns) if (data instanceof TextColumn) data.texts.length = Math.min(data.texts.length, length);
  }

  /** The cells of a row by the names of the columns. */
  row(at: number): NamedCells {
    return Object.fromEntries(this.columns.map((data) => [data.column.name, data.cell(at)]));
  }

  /** All rows: for what needs them one by one. */
  *rows(): Generator<NamedCells> {
    for (let at = 0; at < this.length; at++) yield this.row(at);
  }

  #grow(): void {
    this.#room *= 2;
    for (const data of this.columns) {
      if (data instanceof NumberColumn) {
        const values = new Float64Array(this.#room);
        values.set(data.values);
        data.values = values;
      } else if (data instanceof WordColumn) {
        const indexes = new Uint32Array(this.#room);
        indexes.set(data.indexes);
        data.indexes = indexes;
      }
    }
  }
}
