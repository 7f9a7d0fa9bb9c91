/**
 * The memory of one run, from low to high: AssemblyScript's own data, the source in UTF-16 with zeros behind it, the tables of
 * scopes.ts, the nodes. Positions in the source are addresses.
 */

/** The first unit of the source, and what is behind its last one. */
export let source: i32 = 0;
export let sourceEnd: i32 = 0;
/** Where the tables begin. */
export let tables: i32 = 0;
export let units: i32 = 0;

const PAGE: i32 = 0x10000;
/** Zeros behind the source: what looks a few units ahead finds no character there. */
const BEHIND: i32 = 32;

/** The text is not read here: it is wrong, or it needs what only the other parser has. The caller sees a trap. */
export function refuse(): void {
  unreachable();
}

/** Makes room for a source, and returns where it is to be written. */
export function reserve(length: i32): i32 {
  units = length;
  source = (<i32>__heap_base + 15) & ~15;
  sourceEnd = source + length * 2;
  tables = (sourceEnd + BEHIND + 15) & ~15;
  ensure(tables);
  memory.fill(sourceEnd, 0, BEHIND);
  return source;
}

/** Grows the memory to so many bytes at least. The system gives it pages as they are first written. */
export function ensure(bytes: i32): void {
  const pages = (bytes + PAGE - 1) / PAGE - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) refuse();
}

/** Whether the same units stand at two places. */
export function isSame(one: i32, other: i32, bytes: i32): bool {
  for (let i = 0; i < bytes; i += 2) if (load<u16>(one + i) !== load<u16>(other + i)) return false;
  return true;
}
