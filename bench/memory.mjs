// What idle sites and the agent take: private memory of whole processes, with fentry and without, with many functions and with none.
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

const run = (flags, name, ...args) => Number(output(process.execPath, [...flags, fixture(name), ...args], { env }));
const withFentry = ['--import', FENTRY];
const bytes = (flags, ...args) => run(['--expose-gc', ...flags], 'memory.cjs', ...args);

try {
  const grown = run(withFentry, 'text-length.cjs', many) - run([], 'text-length.cjs', many);
  const sites = [];
  const agents = [];
  for (let i = 0; i < RUNS; i += 1) {
    const agent = bytes(withFentry) - bytes([]);
    sites.push((bytes(withFentry, many) - bytes([], many) - agent) / FUNCTIONS);
    agents.push(agent);
  }
  const site = median(sites);
  verdict({
    name: 'memory, a site',
    ratio: site - grown / FUNCTIONS,
    unit: ' B',
    target: 'at most 100 B',
    detail: `outside V8's text of the program: ${site.toFixed(0)} B a function in all, of which ${(grown / FUNCTIONS).toFixed(0)} are longer text; ${FUNCTIONS} functions, median of ${RUNS}`,
  });
  verdict({
    name: 'memory, the agent',
    ratio: median(agents) / MEBIBYTE,
    unit: 'MiB',
    target: 'at most 20 MiB',
    detail: `private memory of a process with fentry less one without, median of ${RUNS}`,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
