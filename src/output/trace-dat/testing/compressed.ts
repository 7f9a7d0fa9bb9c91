import { readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { ByteWriter } from '../byte-writer.js';
import { MAGIC, OPTION, SECTION, SECTION_FLAG_COMPRESSED, SECTION_HEADER_SIZE } from '../format.js';
import { openTraceDat } from '../open.js';

const TABLES = ['HEADERS', 'FTRACE_EVENTS', 'EVENT_FORMATS', 'KALLSYMS', 'PRINTK', 'CMDLINES'] as const;

/** Compressors by the names that trace.dat has for them; a Node before 22.15 has no zstd. */
export const COMPRESSORS: Readonly<Record<string, ((plain: Uint8Array) => Buffer) | undefined>> = {
  zlib: zlib.deflateSync,
  zstd: (zlib as { zstdCompressSync?: typeof zlib.deflateSync }).zstdCompressSync,
};

/** A recording as a compressed file: every section and, in chunks of two sub-buffers, the events. */
export function compressed(path: string, algorithm = 'zlib'): Buffer {
  const packed = (plain: Uint8Array): Buffer => {
    const bytes = COMPRESSORS[algorithm]!(plain);
    return Buffer.from(new ByteWriter().u32(bytes.length).u32(plain.length).raw(bytes).bytes);
  };
  const plain = readFileSync(path);
  const dat = openTraceDat(path);
  dat.file.close();
  const out = new ByteWriter().raw(MAGIC).cstring('7').raw(Uint8Array.of(0, 8)).u32(4096).cstring(algorithm).cstring('1');
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
