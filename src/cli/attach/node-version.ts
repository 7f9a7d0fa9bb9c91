import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const CHUNK = 8 * 2 ** 20;
/** Overlap of two chunks, for a match that crosses their border. */
const OVERLAP = 128;
/** The place that every build of Node names for its own source (process.release). */
const RELEASE = /node-v(\d+\.\d+\.\d+)(?:-[\w.]+)?\.tar\.gz/;
/** Distributions that put Node into a shared library. */
const LIBRARY = /\/libnode\.so[\d.]*$/;

/** Node's version in the text of an executable or library. */
export const releaseIn = (text: string): string | undefined => RELEASE.exec(text)?.[1];

/** The version of Node that a process runs, read from its executable or library; undefined if it does not run Node. */
export function nodeVersionIn(pid: number): string | undefined {
  return scan(`/proc/${pid}/exe`) ?? libraries(pid).map(scan).find(Boolean);
}

function libraries(pid: number): readonly string[] {
  try {
    const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
    const paths = maps.map((line) => line.slice(line.indexOf('/'))).filter((path) => LIBRARY.test(path));
    return [...new Set(paths)].map((path) => `/proc/${pid}/root${path}`);
  } catch {
    return [];
  }
}

function scan(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; ; at += CHUNK - OVERLAP) {
      const length = readSync(file, buffer, 0, CHUNK, at);
      const found = releaseIn(buffer.toString('latin1', 0, length));
      if (found !== undefined || length < CHUNK) return found;
    }
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
