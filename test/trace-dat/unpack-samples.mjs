// Writes the samples that record-in-kernel.sh printed, and what trace-cmd reports of each (it must be installed with its
// plugins): `node test/trace-dat/unpack-samples.mjs < OUTPUT`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const folder = new URL('samples/', import.meta.url);
const work = mkdtempSync(join(tmpdir(), 'fentry-samples-'));
for (const part of readFileSync(0, 'utf8').split(/^@@ /m).slice(1)) {
  const [name, ...lines] = part.split('\n');
  if (name === 'end') break;
  const packed = Buffer.from(lines.join(''), 'base64');
  const plain = join(work, 'sample.dat');
  writeFileSync(plain, gunzipSync(packed));
  const report = gzipSync(execFileSync('trace-cmd', ['report', '-i', plain], { stdio: ['ignore', 'pipe', 'ignore'] }), {
    level: 9,
  });
  writeFileSync(new URL(name, folder), packed);
  writeFileSync(new URL(name.replace('.dat.gz', '.txt.gz'), folder), report);
  console.log(`${name}: ${packed.length} bytes, its report ${report.length}`);
}
rmSync(work, { recursive: true });
