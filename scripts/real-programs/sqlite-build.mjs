import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '12.11.1';
const REPOSITORY = 'https://github.com/WiseLibs/better-sqlite3';
/** At the entry of each function of SQLite and of the binding: five NOPs. -O1 is compiled in half the time of -O3. */
const SITES = '-O1 -fpatchable-function-entry=5';
const TOOLS = ['node-gyp@12', 'mocha@11', 'chai@4', 'fs-extra@11'];
const CACHE = fileURLToPath(new URL(`../../.cache/real-programs/better-sqlite3-${VERSION}-`, import.meta.url));

/** The folder with Node's headers that belong to this executable; undefined: node-gyp fetches them. */
const headers = [dirname(dirname(process.execPath))].find((folder) => existsSync(join(folder, 'include/node/node.h')));

/** SQLite's own tests, which the package has not: from a folder, or from the repository. */
function fetchTests(to) {
  const { SQLITE_TESTS } = process.env;
  if (SQLITE_TESTS !== undefined) return cpSync(SQLITE_TESTS, to, { recursive: true });
  const clone = mkdtempSync(join(tmpdir(), 'fentry-sqlite-'));
  try {
    const git = (...args) => execFileSync('git', args, { stdio: ['ignore', 'ignore', 'inherit'] });
    git('clone', '--quiet', '--depth', '1', '--filter=blob:none', '--sparse', '--branch', `v${VERSION}`, REPOSITORY, clone);
    git('-C', clone, 'sparse-checkout', 'set', 'test');
    cpSync(join(clone, 'test'), to, { recursive: true });
  } catch {
    throw new Error(`its tests come from ${REPOSITORY}: without it, name a folder that has those of v${VERSION} by SQLITE_TESTS`);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/**
 * better-sqlite3 with a site in each function, compiled against this Node; once, which takes one or two minutes. Returns its
 * folder.
 */
export function sqliteWithSites() {
  const folder = `${CACHE}${process.versions.modules}`;
  if (existsSync(folder)) return folder;
  const making = `${folder}-making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  const flags = { CFLAGS: SITES, CXXFLAGS: SITES, npm_config_loglevel: 'error' };
  const options = { cwd: making, env: { ...process.env, ...flags }, encoding: 'utf8', maxBuffer: 1 << 28 };
  const run = (command, ...args) => execFileSync(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  run('npm', 'pack', `better-sqlite3@${VERSION}`);
  const tarball = readdirSync(making).find((name) => name.endsWith('.tgz'));
  run('tar', 'xzf', tarball, '--strip-components=1');
  rmSync(join(making, tarball));
  const {
    devDependencies: _dev,
    overrides: _overrides,
    scripts: _scripts,
    ...rest
  } = JSON.parse(readFileSync(join(making, 'package.json'), 'utf8'));
  writeFileSync(join(making, 'package.json'), JSON.stringify({ ...rest, private: true }));
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-dev', ...TOOLS);
  fetchTests(join(making, 'test'));
  const gyp = join(making, 'node_modules/node-gyp/bin/node-gyp.js');
  run(process.execPath, gyp, 'rebuild', '--release', ...(headers === undefined ? [] : [`--nodedir=${headers}`]));
  rmSync(join(making, 'build/Release/obj.target'), { recursive: true, force: true });
  renameSync(making, folder);
  return folder;
}
