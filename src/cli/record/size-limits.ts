import { ownIdentity } from '../../recording/process-identity.js';
import { DEFAULT_RECORDING_BYTES, type RecordingLimits } from '../../recording/recording-space.js';
import type { OptionSpecs, OptionValues } from '../arguments.js';
import { UsageError } from '../verb.js';
import { byteText } from './progress-line.js';

/** The options that limit the size of a recording. */
export const SIZE_OPTIONS = {
  'max-size': { type: 'string' },
  // trace-cmd's letter: KiB of each cpu.
  'cpu-size': { type: 'string', short: 'm' },
} as const satisfies OptionSpecs;

/** What --help says of them. */
export const SIZE_HELP = `  --max-size SIZE        size of the newest events to keep: 200M, 4G; 0: all that fit on the disk (${byteText(DEFAULT_RECORDING_BYTES)})
  -m KB                  limit each thread to this size instead, as trace-cmd does
`;

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** The limits of a recording, in bytes. */
export function sizeLimits(options: OptionValues<typeof SIZE_OPTIONS>): RecordingLimits {
  const { 'max-size': size, 'cpu-size': cpuSize } = options;
  const cpuBytes = cpuSize === undefined ? undefined : cpuBytesOf(cpuSize);
  if (size === undefined) return { bytes: cpuBytes === undefined ? DEFAULT_RECORDING_BYTES : undefined, cpuBytes };
  const [, digits, unit = ''] = /^(\d{1,12})([kmgt]?)(?:i?b)?$/i.exec(size) ?? [];
  if (digits === undefined) throw new UsageError(`--max-size must be a size like 200M or 4G, not '${size}'`);
  const bytes = Number(digits) * UNITS[unit.toLowerCase()]!;
  return { bytes: bytes === 0 ? undefined : bytes, cpuBytes };
}

function cpuBytesOf(value: string): number {
  if (!/^[1-9]\d{0,11}$/.test(value)) throw new UsageError(`-m must be a whole number of KiB, not '${value}'`);
  return Number(value) * 1024;
}

/** The size limit in words that follow "recording into FILE". */
export function limitText({ bytes, cpuBytes }: RecordingLimits): string {
  const limits = [
    ...(bytes === undefined ? [] : [byteText(bytes)]),
    ...(cpuBytes === undefined ? [] : [`${byteText(cpuBytes)} of each thread`]),
  ];
  return limits.length === 0
    ? ', until the disk is nearly full; then the newest events are kept'
    : `, at most ${limits.join(' and ')}: the newest events are kept`;
}

/** The words of FENTRY that limit what a process writes, and name the process that makes the recording: this one. */
export function limitParameters({ bytes, cpuBytes }: RecordingLimits): string {
  const words = [`record_size=${bytes ?? 0}`, `recorder=${ownIdentity()}`];
  if (cpuBytes !== undefined) words.push(`record_cpu_size=${cpuBytes}`);
  return words.join(' ');
}
