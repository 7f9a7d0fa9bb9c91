import { TraceError } from '../../base/errno.js';
import { DEFAULT_SUBBUF_BYTES, formatStats, isClockInNs, pagesFor } from '../../ring-buffer/index.js';
import type { TraceFile } from '../tracefs/node.js';
import { parseUnsigned, parseUnsignedLong } from '../tracefs/numbers.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import type { TraceInstance } from './instance.js';
import type { InstanceBuffers } from './instance-buffers.js';
import type { CpuBuffer } from './thread-buffer.js';

const PAGE_DATA_BYTES = DEFAULT_SUBBUF_BYTES - 16;
/** A size is rounded up to pages in 64 bits, and wraps around at 2^64. */
const ROUNDING = BigInt(PAGE_DATA_BYTES - 1);
/** The size of a buffer before it is used, in KiB. */
const UNUSED_KB = 7;
const NO_STATS = {
  entries: 0,
  overrun: 0,
  commitOverrun: 0,
  bytes: 0,
  oldestEventTs: 0,
  droppedEvents: 0,
  readEvents: 0,
};

/** What the kernel shows as a buffer's size: that of its pages' data, in whole KiB. */
const sizeKb = (buffer: CpuBuffer): number => (pagesFor(buffer.bytes, DEFAULT_SUBBUF_BYTES) * PAGE_DATA_BYTES) >>> 10;

const requestedKb = (buffer: CpuBuffer): number => buffer.bytes >>> 10;

function sizeText(instance: TraceInstance, cpu: number | undefined): string {
  const buffers = instance.buffers.all(cpu);
  const sizes = new Set(buffers.map(sizeKb));
  if (sizes.size > 1) return 'X\n';
  const [size = 0] = sizes;
  if (instance.isExpanded) return `${size}\n`;
  if (!instance.isTop)
    return cpu === undefined ? `${size} (expanded: ${Math.max(...buffers.map(requestedKb), 0)})\n` : `${size}\n`;
  return cpu === undefined ? `${UNUSED_KB} (expanded: ${Math.max(...buffers.map(requestedKb), 0)})\n` : `${UNUSED_KB}\n`;
}

function totalText(instance: TraceInstance): string {
  const buffers = instance.buffers.all();
  const sum = (kb: (buffer: CpuBuffer) => number): number => buffers.reduce((total, buffer) => total + kb(buffer), 0);
  return instance.isExpanded
    ? `${sum(sizeKb)}\n`
    : `${sum(instance.isTop ? () => UNUSED_KB : sizeKb)} (expanded: ${sum(requestedKb)})\n`;
}

/** buffer_size_kb, of one cpu or of all. `X` when they differ. */
export const bufferSizeKb = (instance: TraceInstance, cpu?: number): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => sizeText(instance, cpu),
    async store(text) {
      const kb = parseUnsignedLong(text);
      if (kb === 0n) throw new TraceError('EINVAL', 'the size must not be 0');
      await instance.resize(cpu, Math.max(0, Number(BigInt.asUintN(64, (kb << 10n) + ROUNDING)) - Number(ROUNDING)));
    },
  });

/**
 * What readers of raw pages take at once. The program that a recorder feeds (trace-cmd stream) stops reading when it has printed
 * faster than pages come, and through FUSE they come slowly: what is left in the buffer then must fit into the pipe between the
 * two, or the recorder waits for ever.
 */
const PIPE_BYTES = 64 << 10;

/** How full a buffer must be, in percent, before poll(2) reports its pages. */
export const pollPercent = ({ chosenPercent, percent }: InstanceBuffers, bytes: number): number =>
  chosenPercent ?? Math.min(percent, (100 * PIPE_BYTES) / bytes);

/** buffer_percent: 0 to 100. */
export const bufferPercent = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${instance.buffers.percent}\n`,
    store(text) {
      const percent = parseUnsigned(text);
      if (percent > 100) throw new TraceError('EINVAL', 'must be from 0 to 100');
      instance.buffers.chosenPercent = percent;
    },
  });

/** buffer_total_size_kb */
export const bufferTotalSizeKb = (instance: TraceInstance): TraceFile => readOnly(() => totalText(instance));

/** per_cpu/cpuN/stats */
export const statsFile = (instance: TraceInstance, buffer: CpuBuffer): TraceFile =>
  readOnly(() => {
    const nowTs = instance.buffers.now();
    return formatStats(buffer.reader?.stats(nowTs) ?? { ...NO_STATS, nowTs }, isClockInNs(instance.buffers.clock));
  });
