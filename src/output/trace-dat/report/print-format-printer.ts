import type { EventFormat } from '../../../events/define.js';
import { printedText } from '../../../events/print/printed-text.js';
import type { RecordBytes } from '../../../events/read-fields.js';
import type { TraceRecord } from '../../record.js';
import type { EventPrinter, PrinterTables } from './event-printer.js';
import { putText } from './put.js';
import { hexAddress } from './put-symbol.js';

/** Characters that a line shows at most: a record of a kernel has fewer, a file may claim anything. */
const MAX_TEXT = 1 << 15;

/** Any event that has no printer of its own: as its print format says. */
export class PrintFormatPrinter implements EventPrinter {
  readonly #textOf: (record: RecordBytes) => string;

  constructor(format: EventFormat, { symbols }: PrinterTables) {
    this.#textOf = printedText(format, {
      symbol(address, withOffset) {
        const bits = BigInt.asIntN(64, BigInt(address));
        const [high, low] = [Number(bits >> 32n), Number(BigInt.asIntN(32, bits))];
        const symbol = symbols.find(high, low);
        if (symbol === undefined) return `0x${hexAddress(high, low)}`;
        const name = Buffer.from(symbol.name).toString('utf8');
        return withOffset ? `${name}+0x${(Number(bits) - symbol.address).toString(16)}` : name;
      },
      array: (elements) => elements.join(' '),
    });
  }

  put(out: Uint8Array, at: number, record: TraceRecord): number {
    return putText(out, at, this.#textOf(record).slice(0, MAX_TEXT));
  }
}
