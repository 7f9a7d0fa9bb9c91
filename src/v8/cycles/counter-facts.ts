import { closeSync, openSync, readSync } from 'node:fs';

/** The machine's counter, as the kernel sees it. */
interface CounterFacts {
  /** The clocksource by which the kernel says that it trusts the counter. */
  readonly clocksource: string;
  /** Flags of the processor in /proc/cpuinfo that must be there. */
  readonly flags: readonly string[];
}

/** By process.arch. On arm64 the architecture promises what the flags of x86-64 say. */
const FACTS: Readonly<Record<string, CounterFacts>> = {
  x64: { clocksource: 'tsc', flags: ['constant_tsc', 'nonstop_tsc'] },
  arm64: { clocksource: 'arch_sys_counter', flags: [] },
};

const CLOCKSOURCE = '/sys/devices/system/clocksource/clocksource0/current_clocksource';
const CPUINFO = '/proc/cpuinfo';
/** The first processor is described in fewer bytes. More are not read: the kernel may ask each processor for its speed. */
const FIRST_BYTES = 8192;

/** The beginning of a file; empty if it cannot be read. */
function beginning(file: string): string {
  try {
    const fd = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(FIRST_BYTES);
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, FIRST_BYTES, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}

/**
 * Why the counter is no clock on this machine, in words; undefined: it is one.
 * @param read returns the beginning of a file
 */
export function whyNoClock(arch: string = process.arch, read: (file: string) => string = beginning): string | undefined {
  const facts = FACTS[arch];
  if (facts === undefined) return `fentry has no code for it on ${arch}`;
  const flags = /^flags\s*:(.*)$/m.exec(read(CPUINFO))?.[1]?.split(' ') ?? [];
  const missing = facts.flags.filter((flag) => !flags.includes(flag));
  if (missing.length > 0) return `${CPUINFO} does not say ${missing.join(', ')}`;
  const source = read(CLOCKSOURCE).trim();
  return source === facts.clocksource
    ? undefined
    : `the kernel's clocksource is ${source || 'unknown'}, not ${facts.clocksource}`;
}
