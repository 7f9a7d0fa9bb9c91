import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { TraceDat } from '../trace-dat.js';
import { writeTraceDat } from '../write.js';

/** A folder that goes when the test ends. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-trace-dat-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty recording, to be changed where a test needs it. */
export function aRecording(): TraceDat {
  return {
    subbufBytes: 4096,
    traceClock: 'local global [mono]\n',
    kallsyms: [],
    cmdlines: [],
    buffers: [{ name: '', clock: 'mono', cpus: [] }],
  };
}

/** Writes a recording of the given CPUs' sub-buffers; returns its path. */
export function writeRecording(folder: string, pages: readonly Uint8Array[], dat: Partial<TraceDat> = {}): string {
  const cpus = pages.map((bytes, cpu) => {
    const file = join(folder, `pages.cpu${cpu}`);
    writeFileSync(file, bytes);
    return { files: [file] };
  });
  const path = join(folder, 't.dat');
  writeTraceDat(path, { ...aRecording(), buffers: [{ name: '', clock: 'mono', cpus }], ...dat });
  return path;
}
