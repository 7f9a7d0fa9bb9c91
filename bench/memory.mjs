// What idle sites and the agent take: private memory of whole processes, with fentry and without, with many functions and with
// none.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeManyFunctions } from './fixtures/many-functions.mjs';
import { FENTRY, output } from './lib/child.mjs';
import { median } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const FUNCTIONS = 20_000;
const RUNS = Number(process.env.RUNS ?? 5);
const MEBIBYTE = 1024 * 1024;
const fixture = (name) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const env = { ...process.env, FENTRY_CACHE: join(folder, 'cache') };
const many = join(folder, 'many.cjs');
writeManyFunctions(many, FUNCTIONS);

const run = (flags, name, ...args) => JSON.parse(output(process.execPath, [...flags, fixture(name), ...args], { env }));
const withFentry = ['--import', FENTRY];
const memory = (flags, ...args) => run(['--expose-gc', ...flags], 'memory.cjs', ...args);

/** What fentry adds to a process without functions of its own, and what it adds for each function of one that has many. */
const measure = () => {
  const [none, noneWithFentry, all, allWithFentry] = [memory([]), memory(withFentry), memory([], many), memory(withFentry, many)];
  const added = (what) => (allWithFentry[what] - all[what] - (noneWithFentry[what] - none[what])) / FUNCTIONS;
  return { agent: noneWithFentry.private - none.private, live: added('live'), private: added('private') };
};

try {
  const text = (run(withFentry, 'text-length.cjs', many) - run([], 'text-length.cjs', many)) / FUNCTIONS;
  const runs = Array.from({ length: RUNS }, measure);
  const of = (what) => median(runs.map((result) => result[what]));
  verdict({
    name: 'memory, a site',
    ratio: of('live') - text,
    unit: ' B',
    target: 'at most 100 B',
    detail: `live after a collection, without the ${text.toFixed(0)} B by which V8's text of a function is longer; ${FUNCTIONS} functions, median of ${RUNS}`,
  });
  verdict({
    name: 'memory, a site, of the system',
    ratio: of('private'),
    unit: ' B',
    detail: 'private memory of the process, with the longer text and what V8 keeps of its garbage',
  });
  verdict({
    name: 'memory, the agent',
    ratio: of('agent') / MEBIBYTE,
    unit: 'MiB',
    target: 'at most 20 MiB',
    detail: `private memory of a process with fentry less one without, median of ${RUNS}`,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
