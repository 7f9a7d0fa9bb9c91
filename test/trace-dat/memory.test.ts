import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { functionRecord, PageBuilder, printRecord } from '../../src/output/trace-dat/testing/page-builder.js';
import { temporaryFolder } from '../../src/output/trace-dat/testing/recording.js';

const MODULE = fileURLToPath(new URL('../../src/output/trace-dat/index.js', import.meta.url));
const PART_BYTES = 4 << 20;
const MIB = 1024;

/** About 4 MiB of sub-buffers: long markers and functions. */
function part(): Buffer {
  const builder = new PageBuilder();
  const text = 'x'.repeat(900);
  for (let i = 0; i * 4096 < PART_BYTES; i++) {
    for (let j = 0; j < 4; j++)
      builder.event(i * 1000 + j, j === 3 ? functionRecord(7, 0x1000n, 0n) : printRecord(7, 0x1000n, text));
    builder.endPage();
  }
  return builder.bytes();
}

/**
 * Writes a recording of so many parts a CPU with two CPUs and reports it, in a process of its own; returns its largest RSS in
 * KiB.
 */
function largestRss(folder: string, parts: number): { write: number; report: number } {
  const path = join(folder, `${parts}.dat`);
  const files = JSON.stringify(Array(parts).fill(join(folder, 'part')));
  const run = (body: string): number => {
    const script = `import { fdSink, report, writeTraceDat } from ${JSON.stringify(MODULE)};
      import { openSync } from 'node:fs';
      ${body}
      console.log(String(process.resourceUsage().maxRSS));`;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--max-old-space-size=64', '--input-type=module', '-e', script],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(status, 0, stderr);
    return Number(stdout);
  };
  const cpus = `[{ files: ${files} }, { files: ${files} }]`;
  const write = run(`writeTraceDat(${JSON.stringify(path)}, { subbufBytes: 4096, traceClock: '[mono]', kallsyms: [], cmdlines: [],
    buffers: [{ name: '', clock: 'mono', cpus: ${cpus} }] });`);
  assert.ok(statSync(path).size > parts * 2 * PART_BYTES);
  const report = run(`report(${JSON.stringify(path)}, {}, fdSink(openSync('/dev/null', 'w')));`);
  return { write, report };
}

test('writing and reporting 200 MB takes the memory that 8 MB take', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'part'), part());
  const small = largestRss(folder, 1);
  const large = largestRss(folder, 25);
  t.diagnostic(`largest RSS in KiB: 8 MB ${JSON.stringify(small)}, 200 MB ${JSON.stringify(large)}`);
  assert.ok(large.report < small.report + 24 * MIB, `report: ${large.report} KiB for 200 MB, ${small.report} KiB for 8 MB`);
  assert.ok(large.write < small.write + 24 * MIB, `write: ${large.write} KiB for 200 MB, ${small.write} KiB for 8 MB`);
});
