import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { ByteWriter } from './byte-writer.js';
import { decompressor } from './compression.js';
import { MAGIC, OPTION, SECTION, SECTION_FLAG_COMPRESSED, SECTION_HEADER_SIZE } from './format.js';
import { openTraceDat } from './open.js';
import { functionRecord, PageBuilder } from './testing/page-builder.js';
import { temporaryFolder, writeRecording } from './testing/recording.js';
import { reportText } from './testing/report-text.js';
import type { TraceDatError } from './trace-dat-error.js';

const TABLES = ['HEADERS', 'FTRACE_EVENTS', 'EVENT_FORMATS', 'KALLSYMS', 'PRINTK', 'CMDLINES'] as const;

const packed = (plain: Uint8Array): Buffer => {
  const bytes = deflateSync(plain);
  return Buffer.from(new ByteWriter().u32(bytes.length).u32(plain.length).raw(bytes).bytes);
};

/** The same recording as a zlib-compressed file: every section and, in chunks of two sub-buffers, the events. */
function compress(path: string): Buffer {
  const plain = readFileSync(path);
  const dat = openTraceDat(path);
  dat.file.close();
  const out = new ByteWriter().raw(MAGIC).cstring('7').raw(Uint8Array.of(0, 8)).u32(4096).cstring('zlib').cstring('1.2.13');
  const optionsField = out.length;
  out.u64(0);
  const section = (id: number, content: Uint8Array): number => {
    const at = out.length;
    out.u16(id).u16(SECTION_FLAG_COMPRESSED).u32(0).u64(content.length).raw(content);
    return at;
  };
  const options = new ByteWriter();
  const option = (id: number, data: Uint8Array): unknown => options.u16(id).u32(data.length).raw(data);
  for (const name of TABLES) {
    const at = Number(dat.options.get(OPTION[name])![0]!.readBigUInt64LE());
    const size = Number(plain.readBigUInt64LE(at + 8));
    const content = plain.subarray(at + SECTION_HEADER_SIZE, at + SECTION_HEADER_SIZE + size);
    option(OPTION[name], new ByteWriter().u64(section(SECTION[name], packed(content))).bytes);
  }
  const buffer = new ByteWriter();
  const cpus = dat.buffers[0]!.cpus;
  const extents: [number, number][] = [];
  const flyrecord = out.length;
  out.u16(SECTION.FLYRECORD).u16(SECTION_FLAG_COMPRESSED).u32(0).u64(0);
  for (const { offset, size } of cpus) {
    const start = out.length;
    const chunks = Math.ceil(size / 8192);
    out.u32(chunks);
    for (let i = 0; i < chunks; i++) out.raw(packed(plain.subarray(offset + i * 8192, offset + Math.min(size, (i + 1) * 8192))));
    extents.push([start, out.length - start]);
  }
  buffer.u64(flyrecord).cstring('').cstring('mono').u32(4096).u32(cpus.length);
  for (const [cpu, [offset, size]] of extents.entries()) buffer.u32(cpu).u64(offset).u64(size);
  option(OPTION.BUFFER, buffer.bytes);
  option(OPTION.VERSION, Buffer.from('fentry\0'));
  option(OPTION.DONE, new ByteWriter().u64(0).bytes);
  const at = section(SECTION.OPTIONS, packed(options.bytes));
  const bytes = Buffer.from(out.bytes);
  bytes.writeBigUInt64LE(BigInt(at), optionsField);
  return bytes;
}

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
