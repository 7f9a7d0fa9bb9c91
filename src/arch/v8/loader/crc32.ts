import * as zlib from 'node:zlib';

const native = (zlib as { crc32?: (data: Uint8Array, value?: number) => number }).crc32;

let table: Uint32Array | undefined;

const makeTable = (): Uint32Array =>
  new Uint32Array(256).map((_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });

/** CRC-32 in JavaScript, for the oldest releases of Node 20 and 22. */
export const slowCrc32 = (data: Uint8Array, start = 0): number => {
  table ??= makeTable();
  let value = ~start;
  for (let i = 0; i < data.length; i++) value = (table[(value ^ (data[i] as number)) & 255] as number) ^ (value >>> 8);
  return ~value >>> 0;
};

/** CRC-32 (of zlib, PNG, Ethernet) of bytes; `start` is the CRC of what comes before them. */
export const crc32: (data: Uint8Array, start?: number) => number = native ?? slowCrc32;
