import type { Conversion, PrintFormat } from '../program.js';

const CONVERSION = /%(?:(%)|(n)|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(?:hh|h|ll|l|L|j|z|t)?([diuxXobpcsmM]))/g;

/** A format of printf whose `%` no conversion follows. */
export class BadFormat {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** Parses a format of SystemTap's printf. */
export function parsePrintFormat(text: string): PrintFormat | BadFormat {
  const parts: (string | Conversion)[] = [];
  let literal = '';
  let end = 0;
  for (const match of text.matchAll(CONVERSION)) {
    const [whole, percent, newline, flags = '', width, precision, letter = ''] = match;
    const between = text.slice(end, match.index);
    if (between.includes('%')) break;
    literal += between;
    end = match.index + whole.length;
    if (percent !== undefined) literal += '%';
    else if (newline !== undefined) literal += '\n';
    else {
      if (literal !== '') parts.push(literal);
      literal = '';
      parts.push({
        letter,
        flags,
        ...(width !== undefined && { width: width === '*' ? width : Number(width) }),
        ...(precision !== undefined && { precision: precision === '*' ? precision : Number(precision) }),
      });
    }
  }
  const rest = text.slice(end);
  if (rest.includes('%')) return new BadFormat('invalid or missing conversion specifier');
  if (literal + rest !== '') parts.push(literal + rest);
  return parts;
}
