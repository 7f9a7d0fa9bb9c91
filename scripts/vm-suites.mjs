// Runs the suites of packages under Vitest and Jest plainly, with fentry loaded (with sites at statements, too), and recorded
// with all functions traced, and compares what became of each test; then looks for the functions in the recording that, by the
// coverage of a plain run, were called. `npm run build && node scripts/vm-suites.mjs [NAME...]` installs them from the npm
// registry into .cache/vm-suites/, and without names writes the table of docs/test-runners.md. Exits 1 when something differs.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { calledFunctions, isRecorded } from './vm-suites/own-functions.mjs';
import { SUITES } from './vm-suites/suites.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, '.cache', 'vm-suites');
const PAGE = join(ROOT, 'docs', 'test-runners.md');
const CLI = join(ROOT, 'dist', 'cli.js');
const PRELOAD = pathToFileURL(join(ROOT, 'dist', 'index.js')).href;
/** Nothing in a suite takes this long, on however slow a machine: the runners' five seconds are not enough under load. */
const TIMEOUT = '--testTimeout=60000';
/** Coverage of the sources alone. */
const RUNNERS = {
  vitest: {
    command: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', TIMEOUT],
    output: (file) => `--outputFile=${file}`,
    coverage: [
      '--coverage.enabled',
      '--coverage.provider=istanbul',
      '--coverage.reporter=json',
      '--coverage.include=src/**/*.{js,ts}',
    ],
  },
  jest: {
    command: ['node_modules/jest/bin/jest.js', '--json', TIMEOUT],
    output: (file) => `--outputFile=${file}`,
    coverage: ['--coverage', '--coverageReporters=json', '--collectCoverageFrom=src/**/*.{js,ts}'],
  },
};

const chosen = process.argv.slice(2);
const sockets = mkdtempSync(join(tmpdir(), 'fentry-vm-suites-'));
const { FORCE_COLOR: _color, NODE_OPTIONS: _options, FENTRY: _fentry, ...inherited } = process.env;
const env = { ...inherited, FENTRY_DIR: sockets, NO_COLOR: '1', CI: '1', npm_config_loglevel: 'error' };

/** The package's tarball with what its suite needs; once. Returns its folder. */
function install(suite) {
  const folder = join(CACHE, suite.name);
  const made = join(folder, 'installed.json');
  const wanted = JSON.stringify(suite);
  if (existsSync(made) && readFileSync(made, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const tarball = npm('pack', suite.package).trim().split('\n').at(-1);
  execFileSync('tar', ['xzf', tarball, '--strip-components=1'], { cwd: folder });
  const { devDependencies: _dev, scripts: _scripts, ...rest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...rest, private: true }));
  for (const [path, text] of Object.entries(suite.files)) writeFileSync(join(folder, path), text);
  // npm 11 fails on what Vitest's packages want of each other.
  npm('install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--save-dev', ...suite.packages);
  writeFileSync(made, wanted);
  return folder;
}

/** What became of each test, by its file and name, as both runners' JSON has it. */
function results(file, folder) {
  const tests = new Map();
  const messages = new Map();
  for (const { name, assertionResults, message } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    const path = relative(folder, name);
    tests.set(path, assertionResults.length === 0 ? `no test: ${message}` : '');
    for (const { fullName, status, failureMessages } of assertionResults) {
      let key = `${path} ${fullName}`;
      while (tests.has(key)) key += '+';
      tests.set(key, status);
      if (status === 'failed') messages.set(key, failureMessages?.[0]?.split('\n')[0]);
    }
  }
  return { tests, messages };
}

/** Runs the suite, perhaps behind a command. Returns what became of its tests, and its exit code. */
function run(suite, folder, { before = [], extra = [], settings = {} } = {}) {
  const { command, output } = RUNNERS[suite.runner];
  const file = join(folder, 'results.json');
  rmSync(file, { force: true });
  const { status, stderr } = spawnSync(process.execPath, [...before, ...command, output(file), ...extra], {
    cwd: folder,
    env: { ...env, ...settings },
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (!existsSync(file)) throw new Error(`${suite.name}: no results (status ${status})\n${stderr}`);
  return { status, ...results(file, folder), stderr };
}

function differences(plain, other) {
  const keys = new Set([...plain.tests.keys(), ...other.tests.keys()]);
  const lines = [...keys].flatMap((key) => {
    const [was, is] = [plain.tests.get(key) ?? 'not run', other.tests.get(key) ?? 'not run'];
    return was === is ? [] : [`${key}: ${was}, then ${is} ${other.messages.get(key) ?? ''}`];
  });
  return plain.status === other.status ? lines : [...lines, `exit code ${plain.status}, then ${other.status}`];
}

/** The names of the application's own functions in a recording, and how many calls it has of them. */
function recordedFunctions(recording) {
  const table = execFileSync(process.execPath, [CLI, 'report', '-i', recording, '--profile', '--filter', '*:mod:!*'], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  return table
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => line.trim().split(/\s+/).at(-1));
}

function examine(suite) {
  const folder = install(suite);
  const recording = join(folder, 'suite.dat');
  const plain = run(suite, folder);
  const coverage = join(folder, 'coverage', 'coverage-final.json');
  run(suite, folder, { extra: RUNNERS[suite.runner].coverage });
  const called = calledFunctions(JSON.parse(readFileSync(coverage, 'utf8')), folder);
  const loaded = { NODE_OPTIONS: `--import ${PRELOAD}` };
  const idle = run(suite, folder, { settings: loaded });
  const statements = run(suite, folder, { settings: { ...loaded, FENTRY: 'statement_sites=app' } });
  const loadedDifferences = [
    ...differences(plain, idle).map((line) => `idle: ${line}`),
    ...differences(plain, statements).map((line) => `statements: ${line}`),
  ];
  const recorded = run(suite, folder, { before: [CLI, 'record', '-p', 'function', '-o', recording, '--', process.execPath] });
  const names = recordedFunctions(recording);
  const missing = called.filter((one) => !isRecorded(one, names));
  const told = recorded.stderr.split('\n').filter((line) => line.startsWith('fentry: '));
  const problems = [
    ...loadedDifferences,
    ...differences(plain, recorded).map((line) => `recorded: ${line}`),
    ...missing.map(({ file, line, name }) => `not in the recording: ${name ?? 'anonymous'} ${file}:${line}`),
    ...names.filter((name) => /__vite|__vi_/.test(name)).map((name) => `a name of the runner's: ${name}`),
  ];
  const count = (wanted) => [...plain.tests.values()].filter((status) => status === wanted).length;
  for (const line of [`${suite.name}: ${told.join('; ')}`, ...problems]) console.error(line);
  return {
    problems,
    row: [
      suite.package.replace(/(?<=.)@/, ' '),
      suite.how,
      `${count('passed')} passed, ${count('failed')} failed`,
      loadedDifferences.length === 0 ? 'the same' : 'other',
      differences(plain, recorded).length === 0 ? 'the same' : 'other',
      `${called.length - missing.length} of ${called.length}`,
    ],
  };
}

const HEAD = ['package', 'run by', 'tests', 'fentry loaded', 'recorded', 'called functions in the recording'];

try {
  const examined = SUITES.filter(({ name }) => chosen.length === 0 || chosen.includes(name)).map(examine);
  const table = [HEAD, HEAD.map(() => '---'), ...examined.map(({ row }) => row)]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
  process.stdout.write(table);
  if (chosen.length === 0) {
    const page = readFileSync(PAGE, 'utf8');
    writeFileSync(PAGE, page.replace(/^\| package \|(?:.*\n)+?(?=\n|$)/m, table));
  }
  process.exitCode = examined.some(({ problems }) => problems.length > 0) ? 1 : 0;
} finally {
  rmSync(sockets, { recursive: true, force: true });
}
