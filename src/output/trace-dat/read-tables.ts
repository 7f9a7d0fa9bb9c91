import type { EventFormat } from '../../events/define.js';
import { parseFormat } from '../../events/format-parse.js';
import type { ByteReader } from './byte-reader.js';

/** The two texts of the headers section; the second is the same in every kernel. */
export function readHeaders(reader: ByteReader): string {
  const read = (name: string): string => {
    const at = reader.position;
    const found = reader.cstring(`the name ${name}`);
    if (found !== name) reader.fail(`expected ${name}, found ${JSON.stringify(found.slice(0, 32))}`, at);
    return reader.text(reader.size(`the size of ${name}`), name);
  };
  const headerPage = read('header_page');
  read('header_event');
  return headerPage;
}

/** A counted list of `format` files of one group. */
function readGroup(reader: ByteReader, system: string): EventFormat[] {
  const count = reader.u32('the number of event formats');
  const formats: EventFormat[] = [];
  for (let i = 0; i < count; i++) {
    const size = reader.size('the size of an event format');
    const at = reader.position;
    const text = reader.text(size, 'an event format');
    try {
      formats.push(parseFormat(system, text));
    } catch (error) {
      reader.fail((error as Error).message, at);
    }
  }
  return formats;
}

/** The formats of group ftrace. */
export const readFormats = (reader: ByteReader): EventFormat[] => readGroup(reader, 'ftrace');

/** The formats of all other groups. */
export function readSystems(reader: ByteReader): EventFormat[] {
  const count = reader.u32('the number of event groups');
  const formats: EventFormat[] = [];
  for (let i = 0; i < count; i++) {
    const system = reader.cstring('the name of an event group');
    for (const format of readGroup(reader, system)) formats.push(format);
  }
  return formats;
}

/** A text preceded by its size as u32: kallsyms, printk formats. */
export function readSized32(reader: ByteReader, what: string): Buffer {
  return reader.bytes(reader.u32(`the size of ${what}`), what);
}

/** `pid comm` lines. */
export function readCmdlines(reader: ByteReader): Map<number, string> {
  const text = reader.text(reader.size('the size of the command names'), 'the command names');
  const cmdlines = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [, pid, comm] = /^\s*(-?\d+) (.*?)\0*$/.exec(line) ?? [];
    if (comm !== undefined) cmdlines.set(Number(pid), comm);
  }
  return cmdlines;
}
