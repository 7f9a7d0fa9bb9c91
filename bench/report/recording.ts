import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeTraceDat } from '../../src/output/trace-dat/index.js';
import { functionRecord, graphEntry, graphExit, PageBuilder } from '../../src/output/trace-dat/testing/page-builder.js';

const TEXT = 0xffffffff81000000n;
const FUNCTION_BYTES = 256n;
const FUNCTIONS = 5000;
const DEPTH_LIMIT = 24;
const START = 86_400_000_000_000n;

const ARGUMENTS = ['{ url: "/items/7" }', '7'];
const RESULT = '{ id: 7 }';

/** The next of a row of numbers that looks random and is the same each time. */
const nextRandom = (seed: number): number => (Math.imul(seed, 1664525) + 1013904223) >>> 0;

/**
 * A walk through calls, one CPU's: entries and exits of 5,000 functions, up to 24 deep; with arguments and results, or without.
 */
function graphPages(cpu: number, events: number, hasArguments: boolean): Buffer {
  const pages = new PageBuilder();
  const stack: { func: bigint; calltime: bigint }[] = [];
  let time = START + BigInt(cpu) * 137n;
  for (let i = 0, seed = cpu + 1; i < events; i++) {
    seed = nextRandom(seed);
    time += BigInt(100 + (seed % 900));
    const depth = stack.length;
    if (depth === 0 || (depth < DEPTH_LIMIT && seed >>> 31 === 0)) {
      const func = TEXT + BigInt(seed % FUNCTIONS) * FUNCTION_BYTES;
      stack.push({ func, calltime: time });
      pages.event(time, hasArguments ? graphEntry(4000 + cpu, func, depth, 0, ARGUMENTS) : graphEntry(4000 + cpu, func, depth));
    } else {
      const { func, calltime } = stack.pop()!;
      const flags = hasArguments ? 0 : undefined;
      pages.event(time, graphExit(4000 + cpu, func, depth - 1, calltime, time, flags, RESULT));
    }
  }
  return pages.bytes();
}

function functionPages(cpu: number, events: number): Buffer {
  const pages = new PageBuilder();
  let time = START + BigInt(cpu) * 137n;
  for (let i = 0, seed = cpu + 1, parent = TEXT; i < events; i++) {
    seed = nextRandom(seed);
    time += BigInt(100 + (seed % 900));
    const func = TEXT + BigInt(seed % FUNCTIONS) * FUNCTION_BYTES;
    pages.event(time, functionRecord(4000 + cpu, func, parent));
    if (seed >>> 30 === 0) parent = func;
  }
  return pages.bytes();
}

export const PAGES = { function: functionPages, function_graph: graphPages } as const;

/** Writes a recording of `events` events over `cpus` CPUs into `folder`; returns its path. */
export function makeRecording(
  folder: string,
  tracer: keyof typeof PAGES,
  events: number,
  cpus: number,
  hasArguments = false,
): string {
  mkdirSync(folder, { recursive: true });
  const files = Array.from({ length: cpus }, (_, cpu) => {
    const file = join(folder, `${tracer}.cpu${cpu}`);
    writeFileSync(file, PAGES[tracer](cpu, Math.round(events / cpus), hasArguments));
    return file;
  });
  const symbols = Array.from({ length: FUNCTIONS }, (_, i) => {
    const address = (TEXT + BigInt(i) * FUNCTION_BYTES).toString(16);
    return `${address} t Class${i % 61}.method${i}\t[package${i % 40}]\n`;
  });
  const path = join(folder, `${tracer}.dat`);
  writeTraceDat(path, {
    subbufBytes: 4096,
    traceClock: 'local global [mono]\n',
    kallsyms: symbols,
    cmdlines: files.map((_, cpu) => [4000 + cpu, cpu === 0 ? 'node' : `worker ${cpu}`]),
    buffers: [{ name: '', clock: 'mono', cpus: files.map((file) => ({ files: [file] })) }],
  });
  return path;
}
