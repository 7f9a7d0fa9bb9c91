/** One field as a `format` file states it. Offset and size in bytes from the start of the record. */
export interface ParsedField {
  readonly name: string;
  /** The C type without name and array: `unsigned long`, `__data_loc char[]`. */
  readonly type: string;
  readonly offset: number;
  readonly size: number;
  readonly signed: boolean;
  /** Number of elements of an array: 0 for one that runs to the end of the record, undefined when not an array. */
  readonly elements: number | undefined;
}

/** An event's `format` file (f_show in kernel/trace/trace_events.c), read back. */
export interface ParsedFormat {
  readonly name: string;
  readonly id: number;
  readonly common: ReadonlyMap<string, ParsedField>;
  readonly fields: ReadonlyMap<string, ParsedField>;
  /** What follows `print fmt: `. */
  readonly print: string;
}

const FIELD = /^\s*field:\s*(.*?);\s*offset:\s*(\d+);\s*size:\s*(\d+);\s*(?:signed:\s*(\d+);)?/;
const DECLARATION = /^(.*?)\s*([A-Za-z_$][\w$]*)(?:\[([^\]]*)\])?$/;

/** Throws an Error that names the first line it could not read. */
export function parseFormat(text: string): ParsedFormat {
  const name = /^name:\s*(\S+)/m.exec(text)?.[1];
  const id = /^ID:\s*(\d+)/m.exec(text)?.[1];
  if (name === undefined) throw new Error('an event format has no line "name: NAME"');
  if (id === undefined) throw new Error(`the format of event ${name} has no line "ID: NUMBER"`);
  const common = new Map<string, ParsedField>();
  const fields = new Map<string, ParsedField>();
  for (const line of text.split('\n')) {
    if (!/^\s*field:/.test(line)) continue;
    const field = parseField(line);
    if (field === undefined) throw new Error(`the format of event ${name} has a field line that cannot be read: ${line.trim()}`);
    (field.name.startsWith('common_') ? common : fields).set(field.name, field);
  }
  return { name, id: Number(id), common, fields, print: /^print fmt:\s*([\s\S]*?)\n*$/m.exec(text)?.[1] ?? '' };
}

/** One `field:` line of a format or header_page file; undefined when it is not one. */
function parseField(line: string): ParsedField | undefined {
  const [, declaration, offset, size, signed] = FIELD.exec(line) ?? [];
  const [, type, name, elements] = DECLARATION.exec(declaration ?? '') ?? [];
  if (type === undefined || name === undefined) return undefined;
  return {
    name,
    type,
    offset: Number(offset),
    size: Number(size),
    signed: signed === '1',
    elements: elements === undefined ? undefined : /^\d+$/.test(elements) ? Number(elements) : 0,
  };
}
