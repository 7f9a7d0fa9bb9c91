/**
 * The patterns of ftrace's filters, as the kernel matches them (filter_parse_regex, glob_match): a plain name,
 * `front*`, `*end`, `*middle*`, and otherwise a glob of `*`, `?`, `[a-z]`, `[!a-z]` and `\x`, always of the whole name.
 */

/** True for a text without any of the glob's characters: it matches only itself. */
export const isPlain = (pattern: string): boolean => !/[*?[\\]/.test(pattern);

/** Makes the test for a pattern. */
export function compileGlob(pattern: string): (name: string) => boolean {
  if (isPlain(pattern)) return (name) => name === pattern;
  const starsOnly = !/[?[\\]/.test(pattern) && !pattern.slice(1, -1).includes('*');
  if (starsOnly) {
    const front = !pattern.startsWith('*');
    const end = !pattern.endsWith('*');
    const text = pattern.slice(front ? 0 : 1, end ? pattern.length : Math.max(front ? 0 : 1, pattern.length - 1));
    if (front) return (name) => name.startsWith(text);
    if (end) return (name) => name.endsWith(text);
    return (name) => name.includes(text);
  }
  return (name) => matches(pattern, name);
}

/** Walks both texts once, going back only to the last star: no pattern makes it slower than the product of the lengths. */
function matches(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let starPattern = -1;
  let starName = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      starPattern = ++p;
      starName = n;
      continue;
    }
    const next = p < pattern.length ? matchOne(pattern, p, name.charCodeAt(n)) : 0;
    if (next > 0) {
      p = next;
      n++;
    } else if (starPattern >= 0) {
      p = starPattern;
      n = ++starName;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** The place in the pattern after one element that matches the character, or 0. An unclosed `[` is a plain character. */
function matchOne(pattern: string, at: number, code: number): number {
  const char = pattern[at];
  if (char === '?') return at + 1;
  if (char === '\\' && at + 1 < pattern.length) return pattern.charCodeAt(at + 1) === code ? at + 2 : 0;
  if (char !== '[') return pattern.charCodeAt(at) === code ? at + 1 : 0;
  const inverted = pattern[at + 1] === '!';
  let i = at + (inverted ? 2 : 1);
  let found = false;
  const first = i;
  for (; i < pattern.length && (i === first || pattern[i] !== ']'); i++) {
    const from = pattern.charCodeAt(i);
    let to = from;
    if (pattern[i + 1] === '-' && i + 2 < pattern.length && pattern[i + 2] !== ']') {
      to = pattern.charCodeAt(i + 2);
      i += 2;
    }
    found ||= from <= code && code <= to;
  }
  if (i >= pattern.length) return code === 0x5b ? at + 1 : 0;
  return found !== inverted ? i + 1 : 0;
}
