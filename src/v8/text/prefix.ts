const FIRST = '$f';

/** A `$` or an `f` written as an escape, as an identifier or a string can hold it. */
const ESCAPED = /\\(?:u00|u\{0*|x)(24|66)\}?/gi;

/**
 * The prefix of the names that are put into `source`: `$f`, with as many `$` after it as it takes to be found
 * nowhere in the source, escapes counted. So a text's longest run of `$` after `$f` tells its prefix.
 */
export function choosePrefix(source: string): string {
  let prefix = FIRST;
  const plain = source.includes('\\') ? source.replace(ESCAPED, (_, code) => (code === '24' ? '$' : 'f')) : source;
  while (plain.includes(prefix) || source.includes(prefix)) prefix += '$';
  return prefix;
}

/** The prefix of an instrumented text or of a piece of one that has a site; undefined when it can have none. */
export function prefixOf(text: string): string | undefined {
  let prefix = FIRST;
  if (!text.includes(prefix)) return undefined;
  while (text.includes(`${prefix}$`)) prefix += '$';
  return prefix;
}
