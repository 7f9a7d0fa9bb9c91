import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const FOLDER = fileURLToPath(new URL('../../../test/trace-dat/samples', import.meta.url));

/** A recording that trace-cmd made on a real kernel, and what trace-cmd reports of it. */
export interface Sample {
  readonly name: string;
  readonly dat: Buffer;
  readonly report: string;
}

/** The samples of this folder; record-in-kernel.sh makes them. */
export function samples(): Sample[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.dat.gz'));
  return names.map((file) => {
    const name = file.replace('.dat.gz', '');
    const report = gunzipSync(readFileSync(join(FOLDER, `${name}.txt.gz`))).toString('utf8');
    return { name, dat: gunzipSync(readFileSync(join(FOLDER, file))), report };
  });
}

/** Puts a sample's recording into a folder; returns its path. */
export function unpack(sample: Sample, folder: string): string {
  const path = join(folder, `${sample.name}.dat`);
  writeFileSync(path, sample.dat);
  return path;
}
