import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CacheFolder } from '../../base/cache/cache-folder.js';
import { preparedRefusal } from '../../base/cache/prepared-refusal.js';
import { folderUrl } from '../../base/file-path.js';
import { BUILD_NAME } from '../../base/version.js';
import { writeFully } from '../../base/write-fully.js';
import { packageNameOf } from '../../v8/loader/package-name.js';
import { PREPARED_PACK, PreparedPack, packParts, type TextToPrepare } from '../../v8/loader/prepared-pack.js';
import { type NotPrepared, type ProgramFile, TextPreparer } from '../../v8/loader/text-preparer.js';
import { type FileWithRequired, loadOrder } from './load-order.js';
import { prepareOwnCode } from './own-code.js';
import { errorText, ProgramFiles } from './program-files.js';
import { publicFile, publicFolder } from './public-file.js';
import { requiredFiles } from './required-files.js';

/** Bytes of the largest file: parsing takes some hundred times as much memory. */
const MOST_BYTES = 64 * 1024 * 1024;
const OWN_FOLDER = folderUrl(import.meta.url);

/** A file that could not be prepared. */
export interface FileProblem extends NotPrepared {
  readonly file: string;
}

/** What was prepared. */
export interface Prepared {
  /** The cache, for FENTRY_PREPARED. */
  readonly cache: string;
  readonly build: string;
  readonly node: string;
  readonly files: number;
  /** npm packages that some of them belong to. */
  readonly packages: number;
  readonly functions: number;
  /** Bytes of the files; of what is stored of them; and of that, V8's code. */
  readonly sourceBytes: number;
  readonly bytes: number;
  readonly codeBytes: number;
  /** Files of V8's code of fentry's own bundles. */
  readonly ownCode: number;
  readonly milliseconds: number;
  readonly problems: readonly FileProblem[];
}

/** Whether this Node runs TypeScript by itself. */
const stripsTypes = (): boolean => Boolean((process.features as { typescript?: unknown }).typescript);

/** All files of the applications in these folders. */
function filesIn(folders: readonly string[], problems: FileProblem[]): readonly { file: ProgramFile; bytes: number }[] {
  const found: { file: ProgramFile; bytes: number }[] = [];
  const files = new ProgramFiles(
    { file: (file, bytes) => found.push({ file, bytes }), problem: (file, why) => problems.push({ file, why }) },
    stripsTypes(),
  );
  for (const folder of folders) files.walk(folder);
  return found;
}

function writeAll(path: string, parts: readonly Uint8Array[]): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (const part of parts) writeFully(fd, part);
  } finally {
    closeSync(fd);
  }
}

/**
 * Fills a cache with what fentry needs of the applications in some folders. It replaces what was prepared in it before.
 * @param folders that exist
 * @param tell called with what is being done
 * @throws Error if the cache cannot be written, or would not be used
 */
export async function prepare(folders: readonly string[], cache: string, tell: (text: string) => void): Promise<Prepared> {
  const begun = performance.now();
  const problems: FileProblem[] = [];
  const folder = join(cache, BUILD_NAME);
  publicFolder(folder);
  const refusal = preparedRefusal(folder, process.geteuid?.() ?? 0);
  if (refusal !== undefined) throw new Error(`programs would not use the cache ${cache}: ${refusal}`);
  tell('looking for files');
  const found = filesIn(folders, problems);
  const preparer = new TextPreparer(OWN_FOLDER, PreparedPack.open(new CacheFolder(folder, true)));
  const texts = new Map<string, readonly TextToPrepare[]>();
  const read: FileWithRequired[] = [];
  const packages = new Set<string>();
  let [files, functions, sourceBytes, codeBytes] = [0, 0, 0, 0];
  for (const [i, { file, bytes }] of found.entries()) {
    tell(`${i + 1} of ${found.length} files: ${file.path}`);
    if (!preparer.admits(file.path)) continue;
    try {
      if (bytes > MOST_BYTES) throw new Error(`larger than ${MOST_BYTES / 1024 / 1024} MB`);
      const content = readFileSync(file.path, 'utf8');
      const made = preparer.prepare(file, content);
      if (made.problem !== undefined) problems.push({ file: file.path, ...made.problem });
      else files++;
      for (const { code } of made.texts) codeBytes += code?.length ?? 0;
      texts.set(file.path, made.texts);
      read.push({ path: file.path, required: requiredFiles(file.path, content) });
      functions += made.functions;
      sourceBytes += bytes;
      const name = packageNameOf(file.path);
      if (name !== '') packages.add(name);
    } catch (error) {
      problems.push({ file: file.path, why: errorText(error) });
    }
  }
  const inOrder = loadOrder(read).flatMap((path) => texts.get(path) ?? []);
  const parts = packParts(inOrder, preparer.functions);
  publicFile(join(folder, PREPARED_PACK), (path) => writeAll(path, parts));
  tell('fentry’s own code');
  const ownCode = await prepareOwnCode(folder);
  return {
    cache,
    build: BUILD_NAME,
    node: process.version,
    files,
    packages: packages.size,
    functions,
    sourceBytes,
    bytes: parts.reduce((sum, part) => sum + part.length, 0),
    codeBytes,
    ownCode,
    milliseconds: Math.round(performance.now() - begun),
    problems,
  };
}
