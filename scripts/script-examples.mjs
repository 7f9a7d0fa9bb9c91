// Runs the examples of SystemTap and the tools of bpftrace, as Debian's packages systemtap-doc and bpftrace install them, on
// the shop under load, unmodified: `npm run build && node scripts/script-examples.mjs [NAME...]` prints the tables of
// docs/script-examples.md, and the counts. Each runs for two seconds, and for six if it printed nothing. Arguments are those
// with which an example's own .meta file tests it, but for names of the kernel's functions, which become names of the shop's
// (ARGUMENTS). `--keep FOLDER` writes what each printed to FOLDER/NAME.out and FOLDER/NAME.err. Exits 1 where the shop ended,
// stood still or wrote to stderr, where a script did not end, or where a message says "internal error". Takes two minutes.
import { execFileSync, fork, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pageText } from './script-examples/page.mjs';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const SHOP = fileURLToPath(new URL('script-examples/shop.mjs', import.meta.url));
const LANES = 4;
/** Seconds that a script runs; the second is for those that print nothing in the first, as reports come every five seconds. */
const SECONDS = [2, 6];
/** Seconds, more than these, after which a script counts as one that does not end. */
const PATIENCE = 40;

const RENDER = 'kernel.function("render*")';
/** Arguments of examples whose own name functions, devices or processes of another machine. */
const ARGUMENTS = {
  callgraph: [RENDER],
  'para-callgraph': ['kernel.function("*@views.mjs")', 'kernel.function("showItem")'],
  'para-callgraph-verbose': ['kernel.function("*@views.mjs")', 'kernel.function("showItem")'],
  fntimes: [RENDER],
  functioncallcount: ['render*'],
  func_time_stats: ['kernel.function("renderRow")'],
  linetimes: ['kernel', 'renderRow'],
  varwatch: ['kernel.function("renderRow")', '$$parms'],
  whythefail: ['kernel', 'renderRow', '$return == 0'],
  watchdog: [RENDER, 'kernel.function("render*").return', '1000'],
  measureinterval: [
    'gettimeofday_us()',
    'tid()',
    '@sum',
    'kernel.function("renderRow")',
    'kernel.function("renderRow").return',
    'ppfunc()',
  ],
  sizeof: ['FILE', '<stdio.h>'],
  plimit: ['1'],
};

/** Options without which an example has no room for all tasks of a busy program. */
const OPTIONS = { schedtimes: ['-D', 'MAXMAPENTRIES=100000'] };

const installed = (name, ending) => {
  try {
    return execFileSync('dpkg', ['-L', name], { encoding: 'utf8' })
      .split('\n')
      .filter((path) => path.endsWith(ending));
  } catch {
    return [];
  }
};

/** Words of a shell's command, without quotes. */
const words = (line) =>
  [...line.matchAll(/(?:'[^']*'|"(?:\\.|[^"])*"|[^\s'"])+/g)].map(([word]) => word.replace(/^(['"])(.*)\1$/s, '$2'));

/** Options and arguments by which an example's .meta file tests it. */
function tested(path) {
  const meta = path.replace(/\.stp$/, '.meta');
  const text = existsSync(meta) ? readFileSync(meta, 'utf8') : '';
  const line = /^test_installcheck: *(?:.*\| *)?stap (.*)$/m.exec(text)?.[1] ?? /^test_check: *stap (.*)$/m.exec(text)?.[1] ?? '';
  const options = [];
  const args = [];
  const all = words(line);
  for (let i = 0; i < all.length; i++) {
    const word = all[i];
    if (/^-[TcxdoI]$/.test(word)) i += 1;
    // Not how far its own test goes: -p1, -p4.
    else if (/^-[gwDG]/.test(word)) options.push(word.replace(/p\d$/, ''), ...(/^-[DG]$/.test(word) ? [all[++i]] : []));
    else if (!/^-|\.stp$/.test(word)) args.push(word);
  }
  const name = basename(path, '.stp');
  return { options: [...options, ...(OPTIONS[name] ?? [])], args: ARGUMENTS[name] ?? args };
}

const EXAMPLES = installed('systemtap-doc', '.stp').map((path) => {
  const { options, args } = tested(path);
  return {
    kind: 'stap',
    name: basename(path),
    command: (pid, seconds) => ['stap', '-T', String(seconds), '-x', pid, ...options, path, ...args],
  };
});
const TOOLS = installed('bpftrace', '.bt').map((path) => ({
  kind: 'bpftrace',
  name: basename(path),
  command: (pid) => ['bpftrace', '-p', pid, path],
}));

async function startShop() {
  const program = fork(SHOP, {
    execPath: process.execPath,
    execArgv: ['--import', 'fentry'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const shop = { program, stderr: '' };
  program.stderr.setEncoding('utf8').on('data', (text) => {
    shop.stderr += text;
  });
  shop.port = await new Promise((resolve, reject) => {
    program.once('message', ({ port }) => resolve(port));
    program.once('exit', () => reject(new Error(`the shop did not start: ${shop.stderr}`)));
  });
  return shop;
}

/** What is wrong with a shop now, or ''. */
async function ill({ program, port, stderr }) {
  if (program.exitCode !== null || program.signalCode !== null)
    return `the shop ended: ${program.signalCode ?? program.exitCode} ${stderr}`;
  const answer = await fetch(`http://127.0.0.1:${port}/items/7`, { signal: AbortSignal.timeout(5000) }).catch(({ message }) => ({
    message,
  }));
  if (answer.status !== 200) return `the shop does not answer: ${answer.message ?? answer.status}`;
  await answer.text();
  return stderr === '' ? '' : `the shop wrote: ${stderr}`;
}

function runScript({ kind, command }, { program }, seconds) {
  const client = spawn(process.execPath, [CLI, ...command(String(program.pid), seconds)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '', isLate: false };
  let interrupt;
  client.stdout.setEncoding('utf8').on('data', (text) => {
    said.out += text;
    // From its first line on, as it may have to wait for a processor.
    if (kind === 'bpftrace') interrupt ??= setTimeout(() => client.kill('SIGINT'), seconds * 1000);
  });
  client.stderr.setEncoding('utf8').on('data', (text) => {
    said.err += text;
  });
  const end = setTimeout(
    () => {
      said.isLate = true;
      client.kill('SIGKILL');
    },
    (seconds + PATIENCE) * 1000,
  );
  return new Promise((resolve) => {
    client.on('close', (code) => {
      clearTimeout(interrupt);
      clearTimeout(end);
      resolve({ ...said, code });
    });
  });
}

/** First line of what a client complained of, which is no warning, without the place in the file and similar names. */
function complaint(err) {
  const lines = err.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((one) => /error/i.test(one) && !/^WARNING/.test(one)) ?? lines[0] ?? '';
  return line
    .replace(/^\S+\.bt:[\d:-]+: /, '')
    .replace(/ at \/\S*$/, '')
    .replace(/ \((?:similar|alternatives): [^)]*\)/, '')
    .replace(/(unresolved function \S+): identifier.*/, '$1')
    .slice(0, 160);
}

const NOTHING = 'runs, prints nothing here';

function verdict({ out, err, code, isLate }) {
  if (/internal error/i.test(out + err)) return ['internal error', complaint(err)];
  if (isLate) return ['does not end', complaint(err)];
  if (code !== 0 && /^ERROR: /m.test(err) && !/^semantic error|^parse error/m.test(err))
    return ['ends with an error', complaint(err)];
  if (code !== 0) return ['refused', complaint(err)];
  const lines = out.split('\n').filter((line) => line.trim() !== '').length;
  return lines > 0 ? ['runs and prints', `${lines} lines`] : [NOTHING, ''];
}

const {
  values: { keep },
  positionals: asked,
} = parseArgs({ options: { keep: { type: 'string' } }, allowPositionals: true });
if (keep !== undefined) mkdirSync(keep, { recursive: true });

async function runKept(script, shop, seconds) {
  const said = await runScript(script, shop, seconds);
  if (keep !== undefined) {
    writeFileSync(join(keep, `${script.name}.out`), said.out);
    writeFileSync(join(keep, `${script.name}.err`), said.err);
  }
  const [result, detail] = verdict(said);
  return { result, detail, err: said.err };
}

const queue = [...EXAMPLES, ...TOOLS].filter(({ name }) => asked.length === 0 || asked.includes(name));
const rows = [];

async function lane() {
  let shop = await startShop();
  for (let script = queue.shift(); script !== undefined; script = queue.shift()) {
    let result = await runKept(script, shop, SECONDS[0]);
    if (result.result === NOTHING) result = await runKept(script, shop, SECONDS[1]);
    const row = { kind: script.kind, name: script.name, ...result };
    const harm = await ill(shop);
    if (harm !== '') {
      Object.assign(row, { result: 'harms the shop', detail: harm.slice(0, 300) });
      if (shop.program.connected) shop.program.disconnect();
      shop = await startShop();
    }
    rows.push(row);
    process.stderr.write(`${row.kind} | ${row.name} | ${row.result} | ${row.detail.replaceAll('\n', ' ')}\n`);
  }
  shop.program.disconnect();
}
await Promise.all(Array.from({ length: Math.min(LANES, queue.length) }, lane));

rows.sort((a, b) => b.kind.localeCompare(a.kind) || a.name.localeCompare(b.name));
console.log(pageText(rows));
const counts = {};
for (const { kind, result } of rows) counts[`${kind}: ${result}`] = (counts[`${kind}: ${result}`] ?? 0) + 1;
for (const [result, count] of Object.entries(counts)) console.log(`${result}: ${count}`);
if (rows.some(({ result }) => /internal|harms|not end/.test(result))) process.exitCode = 1;
