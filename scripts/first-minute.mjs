// Writes docs/first-minute.md: what a new user of a framework types and sees. `npm run build && node scripts/first-minute.mjs
// [NAME...]`; installs the frameworks from the npm registry into .cache/first-minute/. With names the page is only printed.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { APPS } from './first-minute/apps.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, '.cache', 'first-minute');
/** Nothing here takes this long, on however slow a machine: milliseconds. */
const PATIENCE = 600_000;
const GRAPH_LINES = 40;

const chosen = process.argv.slice(2);
const sockets = mkdtempSync(join(tmpdir(), 'fentry-first-minute-'));
const { FORCE_COLOR: _color, NODE_OPTIONS: _options, FENTRY: _fentry, ...inherited } = process.env;
const env = { ...inherited, FENTRY_DIR: sockets, NO_COLOR: '1', npm_config_loglevel: 'error', NEXT_TELEMETRY_DISABLED: '1' };

/** The package as `npm publish` would send it: a user has no clone. */
function packed() {
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE)) if (name.endsWith('.tgz')) rmSync(join(CACHE, name));
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', CACHE], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(
    CACHE,
    readdirSync(CACHE).find((name) => name.endsWith('.tgz')),
  );
}

/** Writes the application and installs what it needs. */
function install(app, tarball) {
  const folder = join(CACHE, app.name);
  for (const [path, text] of Object.entries(app.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const type = app.type === undefined ? {} : { type: app.type };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...type, scripts: { start: app.start } }));
  const npm = (...args) =>
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  npm(...app.packages);
  npm('--save-dev', tarball);
  return folder;
}

async function freePort() {
  const server = createServer().listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const answers = (url) =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );

async function until(holds, what) {
  const end = Date.now() + PATIENCE;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await sleep(500);
  }
}

/** What stands in the page where it would be of this machine alone. */
const neutral = (text, folder) => text.replaceAll(folder, '/home/ann/shop').replaceAll(dirname(process.execPath), '/usr/bin');

async function transcript(app, tarball) {
  const folder = install(app, tarball);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/orders/3`;
  const server = spawn('npx', ['fentry', 'env', 'npm', 'start'], {
    cwd: folder,
    env: { ...env, PORT: String(port) },
    stdio: 'ignore',
    detached: true,
  });
  const lines = [];
  const fentry = (...args) => {
    const shell = `npx fentry ${args.map((arg) => (/[*[]/.test(arg) ? `'${arg}'` : arg)).join(' ')}`;
    const text = execFileSync('sh', ['-c', `${shell} 2>&1`], { cwd: folder, env, encoding: 'utf8' });
    lines.push(`$ ${shell}`, ...neutral(text, folder).trimEnd().split('\n').slice(0, GRAPH_LINES), '');
    return text;
  };
  try {
    lines.push('$ npm install --save-dev fentry', '$ npx fentry env npm start &', '');
    await until(() => answers(url), `${app.name} answers`);
    fentry('ps');
    fentry('list', '-f', app.list);
    fentry('start', '-g', app.graph);
    lines.push('$ curl localhost:$PORT/orders/3 > order', '');
    await answers(url);
    await sleep(500);
    const graph = fentry('show');
    fentry('reset');
    const missing = app.expected.filter((name) => !graph.includes(` ${name}(`));
    if (missing.length > 0) throw new Error(`${app.name}: the graph lacks ${missing.join(', ')}:\n${graph}`);
  } finally {
    process.kill(-server.pid, 'SIGTERM');
  }
  const lock = join(folder, 'node_modules', app.packages[0].replace(/(?<=.)@[^@]*$/, ''), 'package.json');
  const { version } = existsSync(lock) ? JSON.parse(execFileSync('cat', [lock], { encoding: 'utf8' })) : {};
  const source = app.files[app.shown].trimEnd();
  return `## ${app.title}

${app.packages[0].replace(/(?<=.)@[^@]*$/, '')} ${version}; \`npm start\` is \`${app.start}\`. The end of \`${app.shown}\`:

\`\`\`ts
${source.split('\n').slice(-15).join('\n').trim()}
\`\`\`

\`\`\`console
${lines.join('\n').trimEnd()}
\`\`\`
`;
}

const INTRODUCTION = `# The first minute

What somebody sees who has a server in TypeScript and meets fentry: install it, start the server behind \`fentry env\`, name a function of
one's own, ask for a page, look. Names and lines are those of the author's files, whatever compiled them. Everything below was printed so, but for
the application's folder, a package of this tree that was installed for \`fentry\`, and graphs that end after 40 lines; on Node ${process.versions.node}; \`node scripts/first-minute.mjs\` writes this page. Times are those of a small, busy machine.

The same without a server that runs: \`npx fentry record -g findOrder -- npm start\`, a request, Ctrl-C, \`npx fentry report\`.
`;

try {
  const tarball = packed();
  const parts = [INTRODUCTION];
  for (const app of APPS) {
    if (chosen.length === 0 || chosen.includes(app.name)) parts.push(await transcript(app, tarball));
  }
  const page = parts.join('\n');
  if (chosen.length === 0) writeFileSync(join(ROOT, 'docs', 'first-minute.md'), page);
  else process.stdout.write(page);
} finally {
  rmSync(sockets, { recursive: true, force: true });
}
