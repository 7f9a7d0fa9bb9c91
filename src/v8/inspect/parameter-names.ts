/**
 * What is skipped in the head of a function: texts and comments. Regular expressions in defaults are rare, and not understood.
 */
const SKIPPED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/.*|\/\*[\s\S]*?\*\//gy;
const IDENTIFIER = /[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{N}\p{M}$]*/gu;
/** The longest head that is read, in characters. */
const LONGEST = 4000;

/**
 * The words in a function's parameters, in their order: of its text from the place that V8 calls the function's, the bracket, or
 * the first parameter of an arrow. Names of parameters are among them; a name is one if the call has a variable of that name.
 */
export function wordsOfParameters(text: string): readonly string[] {
  return [...new Set(headOf(text.slice(0, LONGEST)).match(IDENTIFIER) ?? [])];
}

function headOf(text: string): string {
  const open = /^(?:async\b\s*)?\(/.exec(text)?.[0];
  if (open === undefined) return /^(?:async\b\s*)?([\p{L}\p{Nl}_$][\p{L}\p{N}\p{M}_$]*)\s*=>/u.exec(text)?.[1] ?? '';
  let head = '';
  for (let at = open.length, depth = 1; at < text.length; ) {
    SKIPPED.lastIndex = at;
    const [skipped] = SKIPPED.exec(text) ?? [];
    if (skipped !== undefined) {
      at += skipped.length;
      continue;
    }
    const char = text[at++]!;
    depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    if (depth === 0) break;
    head += char;
  }
  return head;
}
