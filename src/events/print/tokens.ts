/** A token of the text after `print fmt: `. */
export interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'sign';
  /** The token as it is written; of a text, what it says. */
  readonly text: string;
}

const TOKEN =
  /\s+|(?<number>0[xX][\da-fA-F]+[uUlL]*|\d+[uUlL]*|'(?:[^'\\]|\\.)+')|(?<text>"(?:[^"\\]|\\.)*")|(?<word>[A-Za-z_]\w*)|(?<sign>->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:,(){}[\]])/y;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** What a literal of C says: its quotes and escapes taken off. */
const literal = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|(.))/gs, (_, hex?: string, octal?: string, letter?: string) =>
      hex !== undefined
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : octal !== undefined
          ? String.fromCharCode(Number.parseInt(octal, 8))
          : (ESCAPES[letter!] ?? letter!),
    );

/** More than any kernel's format has: a hostile one must not overflow the evaluator's stack. */
const MAX_TOKENS = 4096;

/** The tokens of a print format. Throws an Error at what is no token of C, and where there are too many. */
export function tokensOf(print: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < print.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(print)?.groups;
    if (tokens.length === MAX_TOKENS) throw new Error(`the print format has more than ${MAX_TOKENS} tokens`);
    if (groups === undefined) throw new Error(`cannot read the print format at ${JSON.stringify(print.slice(at, at + 20))}`);
    const { number, text, word, sign } = groups;
    if (number?.startsWith("'")) tokens.push({ kind: 'number', text: String(literal(number).charCodeAt(0)) });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (text !== undefined) tokens.push({ kind: 'text', text: literal(text) });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return tokens;
}
