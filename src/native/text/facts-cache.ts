import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { attempt } from '../../base/attempt.js';
import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { readWhole } from '../../base/cache/open-private.js';
import { buildId, symbolFile } from '../elf/debug-files.js';
import type { ElfFile } from '../elf/elf-file.js';
import { fileIdentity } from '../elf/file-bytes.js';
import { emptyFacts, type FunctionFacts } from './function-facts.js';

const DIGEST = 'sha256';
const DIGEST_BYTES = 32;
/** The digest of all that follows, and the length of the head. */
const HEAD_BYTES = DIGEST_BYTES + 4;
/** In the order in which a file has them. */
const ARRAYS = [
  ...(['starts', 'sizes', 'nameEnds', 'siteAt', 'frameBytes'] as const),
  ...(['siteShapes', 'kinds', 'verdicts', 'siteLengths', 'siteMoved'] as const),
];

/** What a file says of itself before the arrays. */
interface Head {
  /** What the facts are of. */
  readonly key: string;
  readonly count: number;
  readonly reasons: readonly string[];
}

/**
 * What was found out about the functions of objects, in the cache: a file for each object, which is named after what tells the
 * object from others: its build id, the identity of its file and of that with its symbols, and who has spelled its names. The
 * code of a process is changed by what it says, so a file is used only if nobody else can have written it (CacheFolder) and it is
 * whole (a digest).
 */
export class FactsCache {
  readonly #folder: CacheFolder;

  constructor(folder: CacheFolder) {
    this.#folder = folder;
  }

  /** What is known of the functions of an object; if nothing is, what `find` finds, which is then known. */
  get(elf: ElfFile, jumps: boolean, find: () => FunctionFacts): FunctionFacts {
    const key = keyOf(elf, jumps);
    if (key === undefined) return find();
    const name = `${createHash(DIGEST).update(key).digest('hex').slice(0, 32)}.functions`;
    const known = this.#read(name, key);
    if (known !== undefined) return known;
    const found = find();
    this.#folder.write(name, encoded(found, key));
    return found;
  }

  #read(name: string, key: string): FunctionFacts | undefined {
    return this.#folder.read(name, ({ fd, size }) => {
      const bytes = Buffer.allocUnsafeSlow(size);
      return readWhole(fd, bytes, 0) ? decoded(bytes, key) : undefined;
    });
  }
}

/** Undefined: the object is not read from a file. */
function keyOf(elf: ElfFile, jumps: boolean): string | undefined {
  if (elf.identity === undefined) return undefined;
  const symbols = symbolFile(elf);
  return JSON.stringify([elf.identity, buildId(elf), symbols && fileIdentity(symbols), filterIdentity(), elf.machine, jumps]);
}

/** What tells the c++filt that spells names from another one. */
function filterIdentity(): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const found = attempt(() => statSync(join(folder, 'c++filt')));
    if (found?.isFile()) return `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs}`;
  }
  return undefined;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

function encoded(facts: FunctionFacts, key: string): readonly Buffer[] {
  const own: Head = { key, count: facts.count, reasons: facts.reasons };
  const head = Buffer.from(JSON.stringify(own));
  const length = Buffer.alloc(HEAD_BYTES - DIGEST_BYTES);
  length.writeUInt32LE(head.length);
  const parts = [length, head, ...ARRAYS.map((name) => bytesOf(facts[name])), facts.names];
  const digest = createHash(DIGEST);
  for (const part of parts) digest.update(part);
  return [digest.digest(), ...parts];
}

/** Undefined for what is not whole, or of something else. */
function decoded(bytes: Buffer, key: string): FunctionFacts | undefined {
  const digest = createHash(DIGEST).update(bytes.subarray(DIGEST_BYTES)).digest();
  if (bytes.length < HEAD_BYTES || !digest.equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
  const end = HEAD_BYTES + bytes.readUInt32LE(DIGEST_BYTES);
  const { key: own, count, reasons } = JSON.parse(bytes.toString('utf8', HEAD_BYTES, end)) as Head;
  if (own !== key) return undefined;
  const facts = emptyFacts(count);
  let at = end;
  for (const name of ARRAYS) {
    const part = bytesOf(facts[name]);
    bytes.copy(part, 0, at);
    at += part.length;
  }
  return { ...facts, reasons, names: bytes.subarray(at) };
}
