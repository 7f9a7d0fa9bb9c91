/**
 * trace-cmd drops symbols whose name begins with `$` (on arm they are marks of the assembler), and would show the previous
 * function instead. A dot before the name keeps them; no JavaScript name begins with a dot.
 */
const DOLLAR_NAME = /^([0-9a-fA-F]+[ \t]\S[ \t])(?=\$)/gm;

/** Address 0, an unknown caller, needs a name: trace-cmd hist crashes if a caller has none. */
const UNKNOWN_CALLER = '0000000000000000 T [unknown]\n';

/** The lines of kallsyms as a trace.dat can carry them; `pieces` may break anywhere. */
export function* kallsymsLines(pieces: Iterable<string | Uint8Array>): Generator<Buffer> {
  yield Buffer.from(UNKNOWN_CALLER);
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for (const piece of pieces) {
    const text = rest + (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (end > 0) yield Buffer.from(text.slice(0, end).replace(DOLLAR_NAME, '$1.'), 'utf8');
  }
  if (rest !== '') yield Buffer.from(`${rest.replace(DOLLAR_NAME, '$1.')}\n`, 'utf8');
}

/** Reverses what `kallsymsLines` did to one name. */
export function originalName(name: string): string {
  return name.startsWith('.$') ? name.slice(1) : name;
}
