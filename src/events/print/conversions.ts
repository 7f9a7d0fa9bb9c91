import { elementsOf, type RecordBytes } from '../read-fields.js';
import { ipv4Text, ipv6Text } from './ip-text.js';
import { type ArrayValue, type Expression, INT, integerOf, type PrintDialect, textOf, type Value, wrap } from './values.js';

const CONVERSION =
  /%(?<flags>[-+ #0]*)(?<width>\d+|\*)?(?<precision>\.(?:\d+|\*)?)?(?<length>hh|h|ll|l|L|q|z|t|j)?(?<letter>p[a-zA-Z0-9]*|[a-zA-Z%])/g;

/** Bits of an integer by its length modifier; 64 for all others. */
const BITS: Readonly<Record<string, number>> = { hh: 8, h: 16, '': 32 };

/** A conversion of integers: whether it takes them as signed, its radix, and what `#` puts before it. */
const INTEGERS: Readonly<Record<string, readonly [signed: boolean, radix: number, prefix: string]>> = {
  d: [true, 10, ''],
  i: [true, 10, ''],
  u: [false, 10, ''],
  o: [false, 8, '0'],
  x: [false, 16, '0x'],
  X: [false, 16, '0X'],
};

/** The most columns or digits that a conversion fills: a file may claim any width. */
const MAX_WIDTH = 1024;

/** `%p` by the letter behind it: whether a symbol stands with its offset; a plain one is a number. */
const SYMBOLS: Readonly<Record<string, boolean>> = { s: false, f: false, S: true, F: true, B: true };
const PLAIN_POINTERS: ReadonlySet<string> = new Set(['', 'x', 'K']);

/** `%pI4` and its kind: internet addresses from their bytes. */
const ADDRESSES: Readonly<Record<string, (bytes: readonly number[]) => string>> = {
  I4: ipv4Text,
  I6: (bytes) => ipv6Text(bytes, false),
  I6c: (bytes) => ipv6Text(bytes, true),
};

const bytesOf = ({ array, record }: ArrayValue): readonly number[] =>
  elementsOf(record, array).map((byte) => Number(byte) & 0xff);

interface Style {
  readonly flags: string;
  readonly width: number;
  /** Undefined when there is none. */
  readonly precision: number | undefined;
  readonly length: string;
}

type Render = (value: Value, style: Style) => string;

function integer(letter: string): Render {
  const [signed, radix, prefix] = INTEGERS[letter]!;
  return (value, { flags, width, precision, length }) => {
    const number = wrap(integerOf(value), { bits: BITS[length] ?? 64, signed });
    const isNegative = number < 0;
    let digits = (isNegative ? -number : number).toString(radix);
    if (letter === 'X') digits = digits.toUpperCase();
    const sign = isNegative ? '-' : !signed ? '' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
    const before = sign + (flags.includes('#') && digits !== '0' ? prefix : '');
    const isFilled = flags.includes('0') && !flags.includes('-') && precision === undefined;
    return before + digits.padStart(isFilled ? width - before.length : (precision ?? 0), '0');
  };
}

const text: Render = (value, { precision }) => {
  const shown = textOf(value);
  return precision === undefined ? shown : Buffer.from(shown).toString('utf8', 0, precision);
};

function pointer(kind: string, dialect: PrintDialect): Render {
  const withOffset = SYMBOLS[kind.charAt(0)];
  if (withOffset !== undefined) return (value) => dialect.symbol(integerOf(value), withOffset);
  const address = ADDRESSES[kind];
  if (address !== undefined) return (value) => (typeof value === 'object' ? address(bytesOf(value)) : '');
  if (!PLAIN_POINTERS.has(kind)) throw new Error(`the print format has %p${kind}, which is not known`);
  return (value) => dialect.pointer(wrap(integerOf(value), { bits: 64, signed: false }));
}

function renderOf(letter: string, dialect: PrintDialect): Render {
  if (letter in INTEGERS) return integer(letter);
  if (letter === 's') return text;
  if (letter === 'c') return (value) => String.fromCharCode(Number(integerOf(value)) & 0xff);
  if (letter.startsWith('p')) return pointer(letter.slice(1), dialect);
  throw new Error(`the print format has %${letter}, which is not known`);
}

type Piece = (record: RecordBytes) => string;

/** The number that a width or precision is: written down, or `*`, an argument. */
function numberOf(written: string, take: () => Expression): (record: RecordBytes) => number {
  if (written !== '*') return () => Math.min(Number(written), MAX_WIDTH);
  const argument = take();
  return (record) => Math.max(-MAX_WIDTH, Math.min(Number(wrap(integerOf(argument.value(record)), INT)), MAX_WIDTH));
}

/**
 * A format of printf, filled in from expressions (vsnprintf in lib/vsprintf.c). Throws an Error at a conversion that is not
 * known.
 */
export function compileFormat(format: string, args: readonly Expression[], dialect: PrintDialect): Piece {
  const pieces: Piece[] = [];
  const rest = [...args];
  const take = (): Expression => {
    const argument = rest.shift();
    if (argument === undefined) throw new Error('the print format has fewer arguments than conversions');
    return argument;
  };
  let end = 0;
  const literal = (piece: string): void => {
    if (piece !== '') pieces.push(() => piece);
  };
  for (const match of format.matchAll(CONVERSION)) {
    literal(format.slice(end, match.index));
    end = match.index + match[0].length;
    const { flags = '', width = '', precision, length = '', letter = '' } = match.groups!;
    if (letter === '%') {
      literal('%');
      continue;
    }
    const columns = numberOf(width, take);
    const digits = precision === undefined ? undefined : numberOf(precision.slice(1), take);
    const render = renderOf(letter, dialect);
    const argument = take();
    pieces.push((record) => {
      const wanted = columns(record);
      const style = { flags, width: Math.abs(wanted), precision: digits?.(record), length };
      const shown = render(argument.value(record), style);
      // C counts bytes.
      const blanks = ' '.repeat(Math.max(0, style.width - Buffer.byteLength(shown)));
      return wanted < 0 || flags.includes('-') ? shown + blanks : blanks + shown;
    });
  }
  literal(format.slice(end));
  return (record) => {
    let line = '';
    for (const piece of pieces) line += piece(record);
    return line;
  };
}
