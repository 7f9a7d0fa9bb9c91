import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventRegistry } from '../../src/events/registry.js';
import { KERNEL } from '../../src/output/dialect.js';
import { traceHeader } from '../../src/output/header.js';
import { RecordMerge } from '../../src/output/record-merge.js';
import { tableSymbols } from '../../src/output/symbol-printer.js';
import { TracePrinter } from '../../src/output/trace-printer.js';
import { TraceSeq } from '../../src/output/trace-seq.js';
import type { TraceView } from '../../src/output/trace-view.js';
import { type KernelTrace, kernelTrace, optionsWith } from './kernel-trace.js';
import { PageRecords } from './page-records.js';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

const mergeOf = (trace: KernelTrace): RecordMerge =>
  new RecordMerge(trace.pages.map((pages, cpu) => new PageRecords(cpu, pages)));

/**
 * When the kernel's buffer was cleared, which no record tells: the latency format shows each record's time since then,
 * rounded, so that every line leaves an interval for it. They must have a common point.
 */
function timeStart(trace: KernelTrace, text: string): number {
  const shown = [...text.matchAll(/^.{16}.*\.{3,5} +(\d+)us.: /gm)].map(([, us]) => Number(us) * 1000);
  const merge = mergeOf(trace);
  let earliest = Number.NEGATIVE_INFINITY;
  let latest = Number.POSITIVE_INFINITY;
  for (const since of shown) {
    merge.take();
    earliest = Math.max(earliest, merge.ts - since - 499);
    latest = Math.min(latest, merge.ts - since + 500);
  }
  assert.ok(earliest <= latest, 'the times of the lines do not fit together');
  return shown.length === 0 ? 0 : earliest;
}

/** Prints the kernel's records with fentry's formatter. */
function print(trace: KernelTrace, changed: string, start: number): string | Buffer {
  const view: TraceView = {
    dialect: KERNEL,
    tracer: trace.tracer,
    options: optionsWith(changed),
    symbols: tableSymbols(trace.symbols),
    events: new EventRegistry(),
    hasAppended: false,
    comm: (pid) => trace.comms.get(pid),
    tgid: () => undefined,
    cpus: 2,
    clockInNs: true,
    timeStart: start,
  };
  const merge = mergeOf(trace);
  const entries = sum(trace.entries);
  const counts = { entries, written: entries + sum(trace.overruns), isEmpty: false };
  const info = { release: 'RELEASE', latencyNs: 0, cpu: 0, pid: 0, uid: 0 };
  const printer = new TracePrinter(view, { annotate: sum(trace.overruns) > 0 });
  const seq = new TraceSeq();
  seq.text(traceHeader(view, counts, info));
  while (merge.take()) printer.print(seq, merge);
  return changed.includes('bin') ? Buffer.from(seq.take()) : seq.toString();
}

const normalized = (text: string): string =>
  text
    .replace(/^(# \w+ latency trace v1.1.5 on ).*$/m, '$1RELEASE')
    .replace(/CPU#\d+ \| \(M:\w+ /, 'CPU#0 | (M:server ')
    .replace(/^CPU:\d+ \[LOST.*EVENTS\]\n/gm, '');

for (const name of ['graph', 'function', 'overrun', 'repeats', 'stacks']) {
  const trace = kernelTrace(name);
  const start = timeStart(trace, trace.texts.find(({ changed }) => changed === 'latency-format')?.text ?? '');
  for (const { changed, text } of trace.texts) {
    test(`${name}: the kernel's records print as the kernel printed them${changed === '' ? '' : `, with ${changed}`}`, () => {
      const ours = print(trace, changed, start);
      if (typeof ours === 'string') assert.equal(normalized(ours), normalized(text));
      else assert.equal(ours.toString('base64'), text.replaceAll('\n', ''));
    });
  }
}
