/** Longer parts, from strings of the program, are cut. */
const LONGEST_PART = 48;

/** Nearly every part: nothing in it is changed. */
const WORD = new RegExp(`^[\\w$]{0,${LONGEST_PART}}$`);

/** V8 takes milliseconds to compile a pattern with all letters of Unicode. */
const ASCII = /^[ -~]*$/;

/**
 * A part of a symbol: characters with a meaning in tracefs, white space and other characters become `_`. A route's parameter
 * stays readable: `/items/:id` is `/items/{id}`.
 */
export function symbolPart(text: string): string {
  if (WORD.test(text)) return text;
  const part = text
    .replace(/:([\w$]+)/g, '{$1}')
    .replace(ASCII.test(text) ? /[^\w$.@/{}-]+/g : /[^\p{L}\p{N}\p{M}_$.@/{}-]+/gu, '_');
  return part.length > LONGEST_PART ? part.slice(0, LONGEST_PART) : part;
}

/** Parts joined by dots; empty ones are left out, and what begins with `/` needs no dot. */
export function joinSymbol(...parts: readonly string[]): string {
  let name = '';
  for (const part of parts) {
    if (part !== '') name += name === '' || part.startsWith('/') ? part : `.${part}`;
  }
  return name;
}
