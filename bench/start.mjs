// What fentry adds to the start of a program: CPU time and elapsed time of whole processes against plain Node, with the texts
// in the cache (warm), with an empty one (cold), and with a prepared one, on a read-only root where root can make one.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, FENTRY, output, REQUIRED, ROOT, times } from './lib/child.mjs';
import { measurePairs, median, spread } from './lib/pairs.mjs';
import { verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 15);
const COLD_PAIRS = Math.ceil(PAIRS / 2);

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const warmCache = join(folder, 'cache');
const program = (name, text) => {
  writeFileSync(join(folder, name), text);
  return [join(folder, name)];
};
const PROGRAMS = [
  { name: 'an empty program', args: program('empty.cjs', ''), target: 'at most 1.10' },
  {
    name: 'a program that loads Express',
    args: program('express.cjs', `require(${JSON.stringify(join(ROOT, 'node_modules/express'))});`),
    target: 'at most 1.10',
    cold: 'at most 3',
  },
  {
    name: 'tsc --version',
    args: [join(ROOT, 'node_modules/typescript/bin/tsc'), '--version'],
    target: 'at most 1.10',
    cold: 'at most 5',
  },
];

// Node 20 reads extra certificates at its start: where a machine sets them, they would be most of what plain Node takes.
const { NODE_EXTRA_CA_CERTS: _, ...ENV } = process.env;

/** CPU seconds of a command; its elapsed seconds go to `elapsed`. */
const timed = ([program, ...args], env, elapsed) => {
  const { cpu, real } = times(program, args, { env: { ...ENV, ...env } });
  elapsed?.push(real);
  return cpu;
};

/** CPU seconds of a run with a cache of its own. */
const run = (args, cache, elapsed) => timed([process.execPath, ...args], { FENTRY_CACHE: cache }, elapsed);

/** A container as images run in one: its root is read-only, and its user has no rights. Needs root. */
const CONTAINER = [
  '--mount',
  'sh',
  '-c',
  'mount -o remount,ro,bind / && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"',
  'sh',
];
const hasContainer = spawnSync('unshare', [...CONTAINER, process.execPath, '-e', '0']).status === 0;

/** CPU seconds of a run in the container, without a cache of its own. */
const runPrepared = (args, prepared, elapsed) => {
  const command = [...(hasContainer ? ['unshare', ...CONTAINER] : []), process.execPath, ...args];
  return timed(command, { HOME: '/nowhere', FENTRY_CACHE: '', FENTRY_PREPARED: prepared }, elapsed);
};

const REQUIRE = ['--require', REQUIRED];

/** @param measure `run` or `runPrepared`, with what `cache` returns */
const compare = async (args, cache, pairs, { preload = REQUIRE, measure = run } = {}) => {
  const elapsed = { plain: [], idle: [] };
  const result = await measurePairs(
    () => measure([...preload, ...args], cache(), elapsed.idle),
    () => measure(args, '', elapsed.plain),
    pairs,
  );
  const ratios = elapsed.idle.map((seconds, pair) => seconds / elapsed.plain[pair]);
  return { ...result, elapsed: median(ratios) };
};

const report = (name, target, pairs, { ratio, a, b, elapsed, ...rest }) =>
  verdict({
    name,
    ratio,
    target,
    detail: `${(a * 1000).toFixed(0)} ms of CPU with fentry, ${(b * 1000).toFixed(0)} ms plain; ${spread(rest, pairs)}; elapsed ${elapsed.toFixed(2)}`,
  });

const prepared = join(folder, 'prepared');
const PLACE = hasContainer ? 'read-only root' : 'no read-only root here';
const PREPARED_TARGETS = ['at most 1.29', 'at most 1.3', 'at most 1'];

let colds = 0;
const coldCache = () => join(folder, `cold-${colds++}`);

try {
  chmodSync(folder, 0o755);

  output(process.execPath, [CLI, 'prepare', folder, join(ROOT, 'node_modules'), '--cache', prepared]);
  for (const [i, { name, args }] of PROGRAMS.entries()) {
    const measured = await compare(args, () => prepared, PAIRS, { measure: runPrepared });
    report(`start, ${name}, prepared, ${PLACE}`, PREPARED_TARGETS[i], PAIRS, measured);
  }
  for (const { name, args, target, cold } of PROGRAMS) {
    // The second run stores what the first one only found out.
    for (let i = 0; i < 4; i++) run([...REQUIRE, ...args], warmCache);
    report(`start, ${name}, warm cache`, target, PAIRS, await compare(args, () => warmCache, PAIRS));
    report(`start, ${name}, no cache`, cold, COLD_PAIRS, await compare(args, coldCache, COLD_PAIRS));
  }
  const [{ name, args }] = PROGRAMS;
  const IMPORT = ['--import', FENTRY];
  for (let i = 0; i < 4; i++) run([...IMPORT, ...args], warmCache);
  report(
    `start, ${name}, by --import, warm cache`,
    undefined,
    PAIRS,
    await compare(args, () => warmCache, PAIRS, { preload: IMPORT }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
