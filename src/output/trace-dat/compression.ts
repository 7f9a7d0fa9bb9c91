import * as zlib from 'node:zlib';

/** Decompresses one block to `size` bytes. Throws if the size differs. */
export type Decompress = (bytes: Buffer, size: number) => Buffer;

const ALGORITHMS: Readonly<Record<string, ((bytes: Buffer, options: { maxOutputLength: number }) => Buffer) | undefined>> = {
  zlib: zlib.inflateSync,
  // Node has it from 22.15 on.
  zstd: (zlib as { zstdDecompressSync?: typeof zlib.inflateSync }).zstdDecompressSync,
};

/** The decompressor for the compression in a file's header; undefined for `none`. Throws an Error that says what is missing. */
export function decompressor(name: string): Decompress | undefined {
  if (name === 'none' || name === '') return undefined;
  if (!(name in ALGORITHMS))
    throw new Error(`compressed with ${name}, which fentry does not know (it reads none, zlib and zstd)`);
  const algorithm = ALGORITHMS[name];
  if (algorithm === undefined) {
    throw new Error(
      `compressed with ${name}, which Node ${process.versions.node} cannot read (Node 22.15 and later can); ` +
        'record with --compression none, or convert it: trace-cmd convert --compression none',
    );
  }
  return (bytes, size) => {
    const plain = algorithm(bytes, { maxOutputLength: Math.max(size, 1) });
    if (plain.length !== size) throw new Error(`a compressed block became ${plain.length} bytes instead of ${size}`);
    return plain;
  };
}
