import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../src/output/trace-dat/testing/recording.js';

const MODULE = fileURLToPath(new URL('../../src/output/trace-dat/index.js', import.meta.url));

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test('a full disk is named, leaves no part of a file, and keeps the pages', {
  skip: canMount ? false : 'no mount namespace may be made here',
}, (t) => {
  const folder = temporaryFolder(t);
  const pages = join(folder, 'cpu0');
  const small = join(folder, 'small');
  writeFileSync(pages, Buffer.alloc(1 << 20));
  mkdirSync(small);
  const script = `import { writeTraceDat } from ${JSON.stringify(MODULE)};
    import { readdirSync } from 'node:fs';
    try {
      writeTraceDat(${JSON.stringify(join(small, 't.dat'))}, { subbufBytes: 4096, traceClock: '[mono]', kallsyms: [], cmdlines: [],
        buffers: [{ name: '', clock: 'mono', cpus: [{ files: [${JSON.stringify(pages)}] }] }] });
    } catch (error) {
      console.log(error.message);
    }
    console.log(String(readdirSync(${JSON.stringify(small)}).length));`;
  const mount = `mount -t tmpfs -o size=256k none "$0" && "$1" --input-type=module -e "$2"`;
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', mount, small, process.execPath, script], {
    encoding: 'utf8',
  });
  assert.equal(
    stdout,
    `${join(small, 't.dat')}: cannot be written: no space is left on the device; the recorded pages are kept\n0\n`,
    stderr,
  );
  assert.equal(statSync(pages).size, 1 << 20);
});
