/** The URL of the last `//# sourceMappingURL=` comment of `source`, as written; data URLs too. */
export function sourceMappingURL(source: string): string | undefined {
  const mark = 'sourceMappingURL=';
  const at = source.lastIndexOf(mark);
  if (at < 4 || !/^\/[/*][#@]\s$/.test(source.slice(at - 4, at))) return undefined;
  return /^[^\s'"*]+/.exec(source.slice(at + mark.length))?.[0];
}
