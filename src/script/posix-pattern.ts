/** Regular expressions of POSIX as JavaScript has them. */

const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\/:-@\\[-`{-~',
  space: ' \\t\\n\\v\\f\\r',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

/** A set, `[...]`, from its bracket on. @returns what it is in JavaScript, and where it ends */
function bracket(pattern: string, start: number): { readonly text: string; readonly end: number } {
  let i = start + 1;
  let text = '[';
  if (pattern[i] === '^') {
    text += '^';
    i++;
  }
  for (let isFirst = true; i < pattern.length && (isFirst || pattern[i] !== ']'); isFirst = false) {
    const name = /^\[:(\w+):\]/.exec(pattern.slice(i));
    if (name !== null) {
      text += CLASSES[name[1]!] ?? '';
      i += name[0].length;
      continue;
    }
    if (pattern[i] === '\\' && i + 1 < pattern.length) {
      text += pattern.slice(i, i + 2);
      i += 2;
      continue;
    }
    text += /[\]\\[]/.test(pattern[i]!) ? `\\${pattern[i]}` : pattern[i]!;
    i++;
  }
  return { text: `${text}]`, end: i + 1 };
}

/** @throws SyntaxError for what is no regular expression */
export function posixPattern(pattern: string): RegExp {
  let text = '';
  for (let i = 0; i < pattern.length; ) {
    if (pattern[i] === '\\') {
      text += pattern.slice(i, i + 2);
      i += 2;
    } else if (pattern[i] === '[') {
      const set = bracket(pattern, i);
      text += set.text;
      i = set.end;
    } else text += pattern[i++]!;
  }
  return new RegExp(text, 's');
}

/** What is wrong with a regular expression, in V8's words; undefined: nothing. */
export function patternFault(pattern: string): string | undefined {
  try {
    posixPattern(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^.*: /, '');
  }
}
