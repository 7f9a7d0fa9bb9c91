const NO_V4: readonly number[] = [0, 0, 0, 0];
const NO_V6: readonly number[] = Array.from({ length: 16 }, () => 0);
const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

function v4Bytes(text: string): readonly number[] | undefined {
  const parts = V4.exec(text);
  return parts === null ? undefined : parts.slice(1).map(Number);
}

/** The 4 bytes of an IPv4 address, also of one that IPv6 maps; zeros for all other texts. */
export const addressBytes = (text: string): readonly number[] => v4Bytes(MAPPED.exec(text)?.[1] ?? text) ?? NO_V4;

/** The 16 bytes of an IPv6 address; of an IPv4 address those that map it (::ffff:a.b.c.d), as in the kernel's events. */
export function mappedBytes(text: string): readonly number[] {
  const v4 = v4Bytes(MAPPED.exec(text)?.[1] ?? text);
  if (v4 !== undefined) return [...NO_V6.slice(0, 10), 0xff, 0xff, ...v4];
  const [plain = ''] = text.split('%');
  if (!plain.includes(':')) return NO_V6;
  const [head = '', tail] = plain.split('::');
  const words = (part: string): number[] => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const first = words(head);
  const last = words(tail ?? '');
  const gap = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => 0);
  return [...first, ...gap, ...last].flatMap((word) => [(word >> 8) & 0xff, word & 0xff]);
}
