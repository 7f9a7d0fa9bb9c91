import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { dump as chrome } from '../../src/dump/chrome-trace.js';
import { dump as flameGraph } from '../../src/dump/flame-graph.js';
import { dumpTo } from '../../src/dump/testing/dump-to.js';
import { printProfile, type ReportSink, report, reportAsTrace } from '../../src/output/trace-dat/index.js';
import { COMPRESSORS, compressed } from '../../src/output/trace-dat/testing/compressed.js';
import {
  functionRecord,
  graphEntry,
  graphExit,
  PageBuilder,
  printRecord,
  stackRecord,
} from '../../src/output/trace-dat/testing/page-builder.js';
import { temporaryFolder, writeRecording } from '../../src/output/trace-dat/testing/recording.js';
import { TraceDatError } from '../../src/output/trace-dat/trace-dat-error.js';
import { samples } from './samples.js';

/** Every form in which a recording is printed. */
const FORMS: Readonly<Record<string, (path: string, sink: ReportSink) => unknown>> = {
  report: (path, sink) => report(path, {}, sink),
  'report, with everything': (path, sink) =>
    report(path, { tailprint: true, depth: true, parent: true, latency: true, nanoseconds: true }, sink),
  '--trace': (path, sink) => reportAsTrace(path, {}, sink),
  '--trace, with everything': (path, sink) =>
    reportAsTrace(
      path,
      { options: { 'funcgraph-retval': true, 'funcgraph-tail': true, 'funcgraph-proc': true, 'latency-format': true } },
      sink,
    ),
  '--trace -O raw': (path, sink) => reportAsTrace(path, { options: { raw: true } }, sink),
  '--profile': (path, sink) => printProfile(path, undefined, { order: 'total' }, sink),
  '--chrome': (path, sink) => dumpTo(chrome, path, sink),
  '--flame-graph': (path, sink) => dumpTo(flameGraph, path, sink),
};

const TEXT = 0xffffffff81000000n;
const FUNCTIONS = 100;
const FUNCTION_BYTES = 256n;
const START = 86_400_000_000_000n;
/** A form may print so many bytes for each byte of the file: a record of 24 bytes becomes a line that 512 levels indent. */
const BYTES_PER_BYTE = 64;
const RUNS = 40;
/** Recordings of a kernel, of version 7, of version 6, and compressed; where Node has no zstd, all of that one are refused. */
const KERNELS = ['graph', 'version6', 'zstd'];
/** Bytes of these without compression. */
const KERNEL_BYTES = 45_000;

const nextRandom = (seed: number): number => (Math.imul(seed, 1664525) + 1013904223) >>> 0;
const functionAt = (seed: number): bigint => TEXT + BigInt((seed >>> 8) % FUNCTIONS) * FUNCTION_BYTES;

/** Calls up to 20 deep, with arguments and results, markers and stacks. */
function pages(cpu: number, events: number): Buffer {
  const builder = new PageBuilder();
  const stack: { func: bigint; calltime: bigint }[] = [];
  const pid = 4000 + cpu;
  for (let i = 0, seed = cpu + 1, time = START; i < events; i++) {
    seed = nextRandom(seed);
    time += BigInt(100 + (seed >>> 16));
    const func = functionAt(seed);
    if (seed >>> 27 === 0) builder.event(time, printRecord(pid, func, `a line ${i}`));
    else if (seed >>> 27 === 1) builder.event(time, stackRecord(pid, [func, functionAt(~seed), TEXT]));
    else if (seed >>> 27 === 2) builder.event(time, functionRecord(pid, func, TEXT, ['1', '"x"']));
    else if (seed >>> 27 === 3) builder.missed(i);
    else if (stack.length === 0 || (stack.length < 20 && seed >>> 31 === 0)) {
      builder.event(time, graphEntry(pid, func, stack.length, 0, seed & 64 ? ['7', '{ a: 1 }'] : []));
      stack.push({ func, calltime: time });
    } else {
      const { func: called, calltime } = stack.pop()!;
      builder.event(time, graphExit(pid, called, stack.length, calltime, time, 0, seed & 64 ? '42' : ''));
    }
  }
  return builder.bytes();
}

function wholeRecording(t: TestContext): string {
  const symbols = Array.from({ length: FUNCTIONS }, (_, i) => {
    const module = i % 3 === 0 ? `\t[package${i % 7}]` : '';
    return `${(TEXT + BigInt(i) * FUNCTION_BYTES).toString(16)} t Class${i % 7}.method${i}${module}\n`;
  });
  return writeRecording(temporaryFolder(t), [pages(0, 2200), pages(1, 800)], {
    version: '0',
    kallsyms: symbols,
    cmdlines: [
      [4000, 'node'],
      [4001, 'worker 1'],
    ],
  });
}

/** What is put in the place of words. */
const WORDS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 16384, 0x4000];

/** A copy with some of its words or bytes replaced. */
function damaged(whole: Buffer, run: number): Buffer {
  const copy = Buffer.from(whole);
  for (let i = 0, seed = nextRandom(run + 1); i < 1 << (run % 12); i++) {
    seed = nextRandom(seed);
    const at = Math.floor((seed / 2 ** 32) * (copy.length - 4));
    seed = nextRandom(seed);
    if (seed & 0x10000) copy[at] = seed >>> 24;
    else copy.writeUInt32LE(WORDS[(seed >>> 20) % WORDS.length]!, at & ~3);
  }
  return copy;
}

/** Depths: as deep as a record can say, or with callers that are not there: what no recorder writes. */
const HOSTILE: Readonly<Record<string, (depth: number) => number>> = {
  'ever two deeper': (depth) => 2 * depth,
  'as deep as can be said': () => 0x7fffffff,
  'deeper than any stack': (depth) => 16_000 + (depth % 300),
  'less than nothing': (depth) => -1 - depth,
};

function printedBytes(print: (path: string, sink: ReportSink) => unknown, path: string, limit: number): Buffer {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const write = (bytes: Uint8Array): boolean => {
    chunks.push(Buffer.from(bytes));
    length += bytes.length;
    return length <= limit;
  };
  try {
    print(path, { write });
  } catch (error) {
    assert.ok(error instanceof TraceDatError, (error as Error).stack);
  }
  return Buffer.concat(chunks);
}

/** @param plain bytes of the recording without compression */
function checkForms(path: string, bytes: Buffer, what: string, plain = bytes.length): void {
  writeFileSync(path, bytes);
  const limit = plain * BYTES_PER_BYTE;
  for (const [form, print] of Object.entries(FORMS)) {
    const printed = printedBytes(print, path, limit);
    assert.ok(printed.length <= limit, `${form}, ${what}: more than ${limit} bytes of a file of ${bytes.length}`);
    if (form === '--chrome' && printed.length > 0) JSON.parse(printed.toString('utf8'));
  }
}

test('a damaged recording is refused, or printed in a size that fits it', (t) => {
  const whole = readFileSync(wholeRecording(t));
  const path = join(temporaryFolder(t), 'damaged.dat');
  checkForms(path, whole, 'undamaged');
  for (let run = 0; run < RUNS; run++) checkForms(path, damaged(whole, run), `run ${run}`);
});

for (const [algorithm, compressor] of Object.entries(COMPRESSORS)) {
  const skip = compressor === undefined ? `Node ${process.versions.node} has no ${algorithm}` : false;
  test(`a damaged recording that is compressed with ${algorithm} is refused, or printed in a size that fits it`, {
    skip,
  }, (t) => {
    const plain = wholeRecording(t);
    const whole = compressed(plain, algorithm);
    const path = join(temporaryFolder(t), 'damaged.dat');
    const { size } = statSync(plain);
    checkForms(path, whole, 'undamaged', size);
    for (let run = 0; run < RUNS; run++) checkForms(path, damaged(whole, run), `run ${run}`, size);
  });
}

for (const { name, dat } of samples().filter(({ name }) => KERNELS.includes(name))) {
  test(`a damaged recording of a kernel is refused, or printed in a size that fits it: ${name}`, (t) => {
    const path = join(temporaryFolder(t), 'damaged.dat');
    for (let run = 0; run < RUNS; run++) checkForms(path, damaged(dat, run), `run ${run}`, KERNEL_BYTES);
  });
}

test('depths that no stack has do not make a page of each line', (t) => {
  const folder = temporaryFolder(t);
  for (const [what, depthOf] of Object.entries(HOSTILE)) {
    const builder = new PageBuilder();
    for (let i = 0; i < 6000; i++) builder.event(START + BigInt(i), graphEntry(7, TEXT, depthOf(i)));
    for (let i = 5999; i >= 0; i--) {
      builder.event(START + BigInt(12_000 - i), graphExit(7, TEXT, depthOf(i), START, START + BigInt(12_000 - i)));
    }
    const path = writeRecording(folder, [builder.bytes()], {
      version: '0',
      kallsyms: [`${TEXT.toString(16)} t f\n`, `${(TEXT + 64n).toString(16)} t g\n`],
    });
    checkForms(path, readFileSync(path), what);
  }
});
