import { TraceError } from '../../base/errno.js';
import { DEFAULT_SUBBUF_BYTES, formatStats, pagesFor } from '../../ring-buffer/index.js';
import type { FileOpener, TraceFile } from '../tracefs/node.js';
import { parseUnsigned, parseUnsignedLong } from '../tracefs/numbers.js';
import { refusal } from '../tracefs/refusal.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import { userText } from '../tracefs/user-text.js';
import { type Cpumask, cpumaskText, parseCpumask } from './cpumask.js';
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
    return formatStats(buffer.reader?.stats(nowTs) ?? { ...NO_STATS, nowTs }, instance.buffers.isClockInNs);
  });

/** Cpus are numbered without gaps, and a cpu never disappears. */
const cpuCount = (instance: TraceInstance): number =>
  instance.buffers.all().reduce((most, { cpu }) => Math.max(most, cpu + 1), 0);

/** A mask of all cpus includes those that come later. */
function maskOf(text: string, cpus: number): Cpumask {
  const mask = parseCpumask(text, cpus);
  return mask === (1n << BigInt(cpus)) - 1n ? undefined : mask;
}

/** tracing_cpumask: the threads that record, as a mask of cpus. */
export const tracingCpumask = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    inOneRead: true,
    show: () => `${cpumaskText(instance.buffers.cpumask, cpuCount(instance))}\n`,
    store: (text) => instance.buffers.setCpumask(maskOf(userText(text), cpuCount(instance))),
  });

const SIZE_KB = DEFAULT_SUBBUF_BYTES / 1024;

/** buffer_subbuf_size_kb: what is written is rounded up to pages; sub-buffers have one. */
export const bufferSubbufSizeKb = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${SIZE_KB}\n`,
    store(text) {
      const kb = parseUnsigned(text);
      if (kb > 0 && kb <= SIZE_KB) return;
      throw refusal(instance, {
        location: 'buffer_subbuf_size_kb',
        message: `Sub-buffers of ${SIZE_KB} KiB are the only ones in this version of fentry`,
        command: text.trim(),
      });
    },
  });

/** @throws TraceError EBUSY if somebody records the instance already */
function claim(instance: TraceInstance, { pid, comm }: FileOpener): void {
  if (instance.recorder !== undefined) throw new TraceError('EBUSY', `it is recorded already, by ${instance.recorder}`);
  instance.recorder = `process ${pid} (${comm})`;
}

/**
 * free_buffer: closing it shrinks the buffers to the smallest size, so that a tool that is killed leaves no memory behind. With
 * the option `disable_on_free`, tracing stops first. Who opens it with O_EXCL takes what the buffers have, alone: a second
 * recorder would get some of the events, and its end would stop the first.
 */
export const freeBuffer = (instance: TraceInstance): TraceFile => ({
  kind: 'file',
  mode: 0o200,
  open({ exclusive = false }, caller) {
    if (exclusive) claim(instance, caller);
    return {
      read() {
        throw new TraceError('EINVAL', 'this file can only be written');
      },
      write() {},
      async release() {
        try {
          if (instance.options.disable_on_free) await instance.setTracingOn(false);
          await instance.resize(undefined, 0);
        } finally {
          if (exclusive) instance.recorder = undefined;
        }
      },
    };
  },
});
