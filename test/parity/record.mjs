// Asks the real kernel and keeps its answers: `REFERENCE_KERNEL=COMMAND node test/parity/record.mjs [PART...]`
// asks again what is named, as `traces/graph` or `scripts/filter`.
// COMMAND runs a shell script as root in the tracing directory of a Linux 6.1 and prints what the script prints.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = fileURLToPath(new URL('.', import.meta.url));
const kernel = process.env.REFERENCE_KERNEL;
if (kernel === undefined) {
  console.error('set REFERENCE_KERNEL to the command that runs a script on a real kernel');
  process.exit(1);
}
const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part));
/** Scripts that share a kernel. */
const PER_RUN = 50;
const work = mkdtempSync(join(tmpdir(), 'parity-'));

function ask(script) {
  const file = join(work, 'script.sh');
  writeFileSync(file, script);
  return execFileSync(kernel, [file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 });
}

/** A kernel that was built without what a script needs is not asked: the answer of one that was built with it stays. */
function ifBuilt(script) {
  const [, needed] = /^# needs (\S+)/m.exec(script) ?? [];
  return needed === undefined ? script : `if [ -e ${needed} ]; then\n${script}\nfi\n`;
}

/** Files that the kernel has elsewhere than in the tracing directory. */
function inFolder(script) {
  const [, folder] = /^# in (\S+)/m.exec(script) ?? [];
  return folder === undefined ? script : `cd ${folder}\n${script}\ncd /sys/kernel/tracing`;
}

/** Traces: the kernel's text beside the pages it was printed from. */
const common = readFileSync(join(here, 'traces/common.sh'), 'utf8');
for (const file of readdirSync(join(here, 'traces')).filter((name) => name.endsWith('.sh') && name !== 'common.sh')) {
  if (!isWanted(`traces/${file}`)) continue;
  const text = ask(common + readFileSync(join(here, 'traces', file), 'utf8'));
  writeFileSync(join(here, 'golden', file.replace('.sh', '.trace.gz')), gzipSync(text));
  console.log(`${file}: ${text.length} characters`);
}

/** Facts: what one part of fentry answers by itself, without a process that is traced. */
for (const file of readdirSync(join(here, 'facts')).filter((name) => isWanted(`facts/${name}`))) {
  const script = readFileSync(join(here, 'facts', file), 'utf8');
  const text = ask(ifBuilt(script));
  if (text !== '') writeFileSync(join(here, 'golden', file.replace('.sh', '.txt')), text);
  console.log(file);
}

/** Scripts: all in one run, each after a reset; those marked `# fresh` in a run of their own, as they need the first state. */
const scripts = readdirSync(join(here, 'scripts')).filter(
  (name) => name.endsWith('.sh') && name !== 'reset.sh' && isWanted(`scripts/${name}`),
);
const bodies = new Map(scripts.map((name) => [name, readFileSync(join(here, 'scripts', name), 'utf8')]));
const fresh = scripts.filter((name) => bodies.get(name).includes('# fresh'));
const together = scripts.filter((name) => !fresh.includes(name));
const one = (name) => ifBuilt(`echo "=== ${name}"\n${inFolder(bodies.get(name))}\n`);
const reset = readFileSync(join(here, 'scripts/reset.sh'), 'utf8');
const runs = fresh.map(one);
for (let i = 0; i < together.length; i += PER_RUN) {
  runs.push(
    together
      .slice(i, i + PER_RUN)
      .map((name) => `(\n${reset}) > /dev/null 2>&1\n${one(name)}`)
      .join(''),
  );
}
for (const run of runs) {
  for (const part of ask(`${run}exit 0\n`)
    .split(/^=== (?=.*\.sh$)/m)
    .slice(1)) {
    const end = part.indexOf('\n');
    writeFileSync(join(here, 'golden', part.slice(0, end).replace('.sh', '.txt')), part.slice(end + 1));
  }
}
console.log(`${scripts.length} scripts`);
