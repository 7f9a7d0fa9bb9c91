import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { decompressor } from './compression.js';
import { openTraceDat } from './open.js';
import { compressed as compress } from './testing/compressed.js';
import { functionRecord, PageBuilder } from './testing/page-builder.js';
import { temporaryFolder, writeRecording } from './testing/recording.js';
import { reportText } from './testing/report-text.js';
import type { TraceDatError } from './trace-dat-error.js';

function recording(folder: string): string {
  const cpu = (pid: number): Buffer => {
    const pages = new PageBuilder();
    for (let i = 0; i < 1000; i++) pages.event(1e9 + i * 1000 + pid, functionRecord(pid, 0xffffffff81000000n, 0n));
    return pages.bytes();
  };
  return writeRecording(folder, [cpu(1), cpu(2)], { kallsyms: ['ffffffff81000000 t f\n'], cmdlines: [[1, 'node']] });
}

test('a zlib-compressed recording reads as the plain one', (t) => {
  const folder = temporaryFolder(t);
  const plain = recording(folder);
  const path = join(folder, 'zlib.dat');
  writeFileSync(path, compress(plain));
  assert.equal(reportText(path).text, reportText(plain).text);
  assert.equal(reportText(path).result.events, 2000);
});

/** A compressed recording, and where each CPU's chunks begin. */
function compressed(folder: string): { path: string; bytes: Buffer; places: number[] } {
  const path = join(folder, 'zlib.dat');
  const bytes = compress(recording(folder));
  writeFileSync(path, bytes);
  const dat = openTraceDat(path);
  dat.file.close();
  return { path, bytes, places: dat.buffers[0]!.cpus.map(({ offset }) => offset) };
}

test('a garbled chunk is refused with its place', (t) => {
  const { path, bytes, places } = compressed(temporaryFolder(t));
  bytes.fill(0xff, places[0]! + 14, places[0]! + 40);
  writeFileSync(path, bytes);
  assert.throws(
    () => reportText(path),
    (error: TraceDatError) => error.offset === places[0]! + 4 && /cannot be decompressed/.test(error.message),
  );
});

test('a count of chunks that the file does not have is reported', (t) => {
  const { path, bytes, places } = compressed(temporaryFolder(t));
  bytes.writeUInt32LE(0x7fffffff, places[1]! + 4);
  writeFileSync(path, bytes);
  const { result } = reportText(path);
  assert.equal(result.events, 1000);
  assert.match(result.warnings.join(), /the file is cut: \d+ bytes of events are missing/);
});

test('an unknown compression is named', () => {
  assert.equal(decompressor('none'), undefined);
  assert.throws(() => decompressor('lz4'), /compressed with lz4, which fentry does not know/);
  assert.throws(() => decompressor('zlib')!(deflateSync(Buffer.alloc(10)), 9));
  assert.throws(() => decompressor('zlib')!(deflateSync(Buffer.alloc(10)), 11), /became 10 bytes instead of 11/);
});
