import type { Conversion, PrintFormat } from '../program.js';

/** One flag at most, a width, a precision, `l`, which says nothing here, and the letter. */
const CONVERSION = /%(?:%|([-+ #0]?)(\*|\d+)?(?:\.(\*|\d*))?l?([diuxXobpcsmM]))/y;
/** A `%` at the end of the text with a part of a conversion. */
const UNFINISHED = /%[-+ #0]?(?:\*|\d+)?(?:\.(?:\*|\d*))?l?$/y;

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
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', end)) {
    literal += text.slice(end, at);
    CONVERSION.lastIndex = at;
    const match = CONVERSION.exec(text);
    if (match === null) {
      UNFINISHED.lastIndex = at;
      const rest = UNFINISHED.exec(text)?.[0];
      if (rest === undefined || rest === '%') return new BadFormat('invalid or missing conversion specifier');
      // As in stap, a `.` or `l` alone is no part of a conversion, and leaves nothing.
      if (!/^%\.?l?$/.test(rest)) return new BadFormat('trailing incomplete print format conversion');
      end = text.length;
      break;
    }
    end = at + match[0].length;
    const [, flags = '', width, precision, letter] = match;
    if (letter === undefined) {
      literal += '%';
      continue;
    }
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push({
      letter,
      flags,
      ...(width !== undefined && { width: width === '*' ? width : Number(width) }),
      ...(precision !== undefined && { precision: precision === '*' ? precision : Number(precision) }),
    });
  }
  literal += text.slice(end);
  if (literal !== '') parts.push(literal);
  return parts;
}
