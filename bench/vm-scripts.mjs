// What fentry adds to a program that compiles 1,000 texts by vm.Script: CPU time of whole processes against plain Node. Texts
// without the name of a file only pass fentry's hooks; texts with one get sites (with a warm cache).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, FENTRY } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 15);
const SCRIPTS = 1000;

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const env = { ...process.env, FENTRY_CACHE: join(folder, 'cache') };
const compiling = (options) => `const vm = require('node:vm');
for (let i = 0; i < ${SCRIPTS}; i++) new vm.Script(\`(function f\${i}(a) { return a + \${i}; })\`, ${options}).runInThisContext();`;
const PROGRAMS = [
  { name: 'an empty program', text: '' },
  { name: `${SCRIPTS} texts without a file`, text: compiling('{}') },
  { name: `${SCRIPTS} texts of a file`, text: compiling('{ filename: __filename }') },
];

try {
  for (const [i, { name, text }] of PROGRAMS.entries()) {
    const file = join(folder, `${i}.cjs`);
    writeFileSync(file, text);
    const idle = () => cpuSeconds(process.execPath, ['--import', FENTRY, file], { env });
    // The second run stores what the first one only found out.
    for (let run = 0; run < 3; run++) idle();
    const { ratio, a, b, ...rest } = await measurePairs(idle, () => cpuSeconds(process.execPath, [file], { env }), PAIRS);
    verdict({
      name: `vm, ${name}`,
      ratio,
      target: undefined,
      detail: `${(a * 1000).toFixed(0)} ms of CPU with fentry, ${(b * 1000).toFixed(0)} ms plain; ${spread(rest, PAIRS)}`,
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
