import type { EventFormat } from './define.js';
import type { EventField } from './fields.js';

const FIELD = /^\s*field:\s*(.*?);\s*offset:\s*(\d+);\s*size:\s*(\d+);\s*(?:signed:\s*(\d+);)?/;
const DECLARATION = /^(.*?)\s*([A-Za-z_$][\w$]*)(\[[^\]]*\])?$/;

/**
 * Reads an event's `format` file (f_show in kernel/trace/trace_events.c) back. Throws an Error that names the first line it could
 * not read.
 */
export function parseFormat(system: string, text: string): EventFormat {
  const name = /^name:\s*(\S+)/m.exec(text)?.[1];
  const id = /^ID:\s*(\d+)/m.exec(text)?.[1];
  if (name === undefined) throw new Error('an event format has no line "name: NAME"');
  if (id === undefined) throw new Error(`the format of event ${name} has no line "ID: NUMBER"`);
  const fields: Record<string, EventField> = Object.create(null);
  for (const line of text.split('\n')) {
    if (!/^\s*field:/.test(line)) continue;
    const [fieldName, field] = parseField(line) ?? [];
    if (field === undefined) throw new Error(`the format of event ${name} has a field line that cannot be read: ${line.trim()}`);
    if (!fieldName!.startsWith('common_')) fields[fieldName!] = field;
  }
  return { system, name, id: Number(id), fields, print: /^print fmt:\s*([\s\S]*?)\n*$/m.exec(text)?.[1] ?? '' };
}

/** One `field:` line; undefined when it is not one. */
function parseField(line: string): [name: string, field: EventField] | undefined {
  const [, declaration, offset, size, signed] = FIELD.exec(line) ?? [];
  const [, type, name, array = ''] = DECLARATION.exec(declaration ?? '') ?? [];
  if (type === undefined || name === undefined) return undefined;
  return [name, { type, array, offset: Number(offset), size: Number(size), signed: signed === '1' }];
}
