/** What names in a text do not count in: comments and strings. */
const SKIPPED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*|\/\*[\s\S]*?\*\//g;
const NAME = /^[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{N}\p{M}$]*$/u;

/**
 * Where a text calls a function of this name: the index of the name; undefined if it names it nowhere as called, or more than
 * once.
 * @param range the part of the text
 */
export function calledAt(text: string, [start, end]: readonly [number, number], name: string): number | undefined {
  // `Job.run`, `new Job`
  const last = name.split(/[. ]/).at(-1)!;
  if (!NAME.test(last)) return undefined;
  const part = text.slice(start, end).replace(SKIPPED, (skipped) => ' '.repeat(skipped.length));
  const calls = new RegExp(`(?<![\\p{L}\\p{N}_$])${last.replaceAll('$', '\\$')}\\s*(?:\\?\\.\\s*)?\\(`, 'gu');
  const [first, second] = part.matchAll(calls);
  return first === undefined || second !== undefined ? undefined : start + first.index;
}

/** The line and the column of the end of a text; both from 1. */
export function endOf(text: string): { readonly line: number; readonly column: number } {
  let line = 1;
  let begun = 0;
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', begun)) {
    line++;
    begun = next + 1;
  }
  return { line, column: text.length - begun + 1 };
}
