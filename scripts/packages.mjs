// Runs the test suites of well-known packages with and without fentry, and compares their totals:
// `node scripts/packages.mjs [--settings 'ftrace=function_graph'] [--from FOLDER] [NAME...]`.
// What npm has of a package seldom holds its tests, so each is cloned from GitHub at its tag and installed as its authors do, in
// a temporary folder: that needs git, npm and GitHub. Without GitHub, put working copies, installed and built, under FOLDER
// yourself, and name it with --from: FOLDER/NAME is then taken as it is. Exits 1 when a suite differs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = new URL('..', import.meta.url).pathname;

/** `node` is the lowest major version of Node on which the suite itself passes. */
const PACKAGES = {
  express: {
    repository: 'https://github.com/expressjs/express',
    tag: 'v5.2.1',
    test: 'npx mocha --require test/support/env --reporter dot --check-leaks test/ test/acceptance/',
  },
  koa: { repository: 'https://github.com/koajs/koa', tag: 'v3.2.0', test: 'node --test' },
  chai: {
    repository: 'https://github.com/chaijs/chai',
    tag: 'v6.2.1',
    prepare: 'npm run build',
    test: 'npx mocha --require ./test/bootstrap/index.js test/*.js',
  },
  ws: {
    repository: 'https://github.com/websockets/ws',
    tag: '8.21.0',
    test: 'npx mocha --exit --throw-deprecation test/*.test.js',
  },
  // Jest, and many child processes. On Node 20 one of its tests runs a file `x.ts` that holds JavaScript, which Node refuses
  // as soon as any --import is there.
  commander: { repository: 'https://github.com/tj/commander.js', tag: 'v12.1.0', test: 'npx jest --silent', node: 22 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { settings: { type: 'string', default: '' }, from: { type: 'string' } },
});

const sh = (command, cwd) => {
  const { status } = spawnSync('sh', ['-c', command], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) return;
  console.error(`${command}: exit status ${status}; without the network use --from FOLDER`);
  process.exit(2);
};

const folderOf = (name, { repository, tag, prepare }) => {
  if (values.from !== undefined) {
    const folder = resolve(values.from, name);
    if (existsSync(join(folder, 'node_modules'))) return folder;
    console.error(`${folder} is no installed working copy of ${repository}`);
    process.exit(2);
  }
  const folder = join(mkdtempSync(join(tmpdir(), 'fentry-package-')), name);
  sh(`git clone --quiet --depth 1 --branch ${tag} ${repository} ${folder}`, ROOT);
  sh('npm install --ignore-scripts --no-audit --no-fund --silent', folder);
  if (prepare) sh(prepare, folder);
  return folder;
};

const major = Number(process.versions.node.split('.')[0]);
let differing = 0;
for (const name of positionals.length > 0 ? positionals : Object.keys(PACKAGES)) {
  const one = PACKAGES[name];
  if (one === undefined) {
    console.error(`${name}: none of ${Object.keys(PACKAGES).join(', ')}`);
    process.exit(2);
  }
  if (major < (one.node ?? 0)) {
    console.log(`== ${name}: its suite needs Node ${one.node}`);
    continue;
  }
  console.log(`== ${name} ${one.tag}`);
  const compare = [join(ROOT, 'scripts/same-results.mjs'), folderOf(name, one), values.settings, '--', 'sh', '-c', one.test];
  const { status } = spawnSync(process.execPath, compare, { stdio: 'inherit' });
  if (status !== 0) differing++;
}
process.exitCode = differing > 0 ? 1 : 0;
