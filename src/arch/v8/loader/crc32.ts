import { createRequire } from 'node:module';

type Crc32 = (data: Uint8Array, start?: number) => number;

/** Below this number of bytes, computing it here is cheaper than loading zlib. */
const SMALL = 1 << 15;

const require = createRequire(import.meta.url);
let native: Crc32 | undefined;

let table: Uint32Array | undefined;

const makeTable = (): Uint32Array =>
  new Uint32Array(256).map((_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });

/** CRC-32 in JavaScript. */
export const slowCrc32: Crc32 = (data, start = 0) => {
  table ??= makeTable();
  let value = ~start;
  for (let i = 0; i < data.length; i++) value = (table[(value ^ (data[i] as number)) & 255] as number) ^ (value >>> 8);
  return ~value >>> 0;
};

/** The oldest releases of Node 20 and 22 have none. */
const nativeCrc32 = (): Crc32 => (require('node:zlib') as { crc32?: Crc32 }).crc32 ?? slowCrc32;

/** CRC-32 (of zlib, PNG, Ethernet) of bytes; `start` is the CRC of the bytes before them. */
export const crc32: Crc32 = (data, start = 0) => {
  if (native === undefined && data.length < SMALL) return slowCrc32(data, start);
  native ??= nativeCrc32();
  return native(data, start);
};
