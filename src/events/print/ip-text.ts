/** Bytes of an IPv4 address as `%pI4` shows them. */
export const ipv4Text = (bytes: readonly number[]): string => bytes.slice(0, 4).join('.');

/** The longest run of zero words, the first of the longest; only runs of two and more are shortened. */
function longestRun(words: readonly number[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [-1, 1];
  for (let start = 0; start < words.length; start++) {
    let end = start;
    while (end < words.length && words[end] === 0) end++;
    if (end - start > best[1]) best = [start, end - start];
    if (end > start) start = end;
  }
  return best;
}

/**
 * Bytes of an IPv6 address as `%pI6` shows them, or compressed as `%pI6c` does: without leading zeros, the longest run of
 * zeros as `::`, and an IPv4 address that it maps with dots (ip6_compressed_string in lib/vsprintf.c).
 */
export function ipv6Text(bytes: readonly number[], compressed: boolean): string {
  const words = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  if (!compressed) return words.map((word) => word.toString(16).padStart(4, '0')).join(':');
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  const hexWords = isMapped ? words.slice(0, 6) : words;
  const [start, length] = longestRun(hexWords);
  const text = (from: number, to: number): string =>
    hexWords
      .slice(from, to)
      .map((word) => word.toString(16))
      .join(':');
  const head = start < 0 ? text(0, hexWords.length) : `${text(0, start)}::${text(start + length, hexWords.length)}`;
  return isMapped ? `${head}${head.endsWith(':') ? '' : ':'}${ipv4Text(bytes.slice(12))}` : head;
}
