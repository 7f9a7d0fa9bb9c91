import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TracefsClient } from '../../bench/lib/tracefs-client.mjs';
import { fentry, linesOf } from './tracing.mjs';

const run = promisify(execFile);
const TRACERS = ['function', 'function_graph'];
/** How often each program runs in each tracer. */
const RUNS = Number(process.env.RUNS ?? 10);

const BASH = `
declare -A seen
fib() { if (( $1 < 2 )); then echo "$1"; else echo $(( $(fib $(( $1 - 1 ))) + $(fib $(( $1 - 2 ))) )); fi; }
for i in {1..400}; do w="word$(( i * 7919 % 101 ))"; (( seen[$w]++ )); [[ $w =~ ^word([0-9]+)$ ]] && sum=$(( sum + BASH_REMATCH[1] )); done
for w in "\${!seen[@]}"; do printf '%s=%d\\n' "$w" "\${seen[$w]}"; done | sort
trap 'echo trapped' USR1; kill -USR1 $$; x=(a b c); echo "\${x[@]^^}" "\${sum}" "$(fib 7)"; printf -v y '%08.3f' 2.5; echo "$y"; exit 7
`;
const PERL = String.raw`
use strict; my (%seen, @all);
for my $i (1 .. 3000) { my $w = sprintf "w%03d", $i * 7919 % 211; $seen{$w}++; push @all, $w if $w =~ /^w(\d)\1/; }
print join(",", map { "$_=$seen{$_}" } sort { $seen{$b} <=> $seen{$a} || $a cmp $b } keys %seen), "\n";
sub fib { my $n = shift; $n < 2 ? $n : fib($n - 1) + fib($n - 2) } print fib(15), " ", scalar(@all), "\n";
eval { die { code => 5 } }; print "died $@->{code}\n"; local $SIG{ALRM} = sub { die "late\n" };
eval { alarm 1; select undef, undef, undef, 5; }; print "alarm: $@"; print unpack("H*", pack("nNd", 1, 2, 3.5)), "\n"; exit 7;
`;
const PYTHON = `
import json, re, sys, decimal, collections, itertools
data = json.loads(json.dumps({str(i): [i * i, i / 7] for i in range(500)}))
print(sum(v[0] for v in data.values()), re.sub(r'(a+)b', r'<\\1>', 'aaab' * 20), decimal.Decimal(2).sqrt())
def gen(n):
    try:
        yield from range(n)
    finally:
        print('closed')
print(list(itertools.islice(gen(10), 3)), collections.Counter(w[0] for w in ('one', 'two', 'three')))
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
try: deep(10 ** 6)
except RecursionError as e: print(type(e).__name__, deep(500))
import threading
t = [threading.Thread(target=deep, args=(300,)) for _ in range(8)]
[x.start() for x in t]; [x.join() for x in t]
sys.exit(7)
`;
const SQL = `
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) insert into t select i, printf('%05d', i * 7919 % 3001), i / 7.0 from n;
create index tb on t(b);
select count(*), sum(a), max(b), round(avg(c), 3) from t where b like '0%';
select x.a, y.b from t x join t y on x.a = y.a + 1 where x.b > '02900' order by y.b desc limit 20;
begin; delete from t where a % 3 = 0; rollback; update t set c = c * 2 where a < 100; select total(c) from t;
select json_group_array(a) from t where a < 20; pragma integrity_check; select nothing from t;
`;
const SOURCE = `
typedef struct node { struct node *left, *right; int key; } node;
static int height(const node *n) { if (!n) return 0; int l = height(n->left), r = height(n->right); return 1 + (l > r ? l : r); }
${Array.from({ length: 20 }, (_, i) => `int f${i}(int *a, int n) { int s = ${i}; for (int i = 0; i < n; i++) { switch (a[i] % 7) { case 0: s += a[i]; break; case 1: s ^= a[i] << ${i % 5}; break; case 3: s -= height((node *)0); break; default: s *= 3; } } return s; }`).join('\n')}
double g(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i] / (1.0 + i); return s; }
`;

const gitEnv = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat' };
const author = ['GIT_AUTHOR', 'GIT_COMMITTER'].flatMap((who) => [
  [`${who}_NAME`, 'one'],
  [`${who}_EMAIL`, 'one@example.org'],
  [`${who}_DATE`, '2020-01-01T00:00:00Z'],
]);

/** A repository with some commits. */
function repository(folder) {
  const path = join(folder, 'repository');
  mkdirSync(path);
  const git = (...args) =>
    execFileSync('git', args, { cwd: path, env: { ...process.env, ...gitEnv, ...Object.fromEntries(author) } });
  git('init', '-q');
  for (let i = 0; i < 25; i++) {
    writeFileSync(join(path, `file${i % 5}`), Array.from({ length: 40 }, (_, line) => `line ${line * (i + 1)}\n`).join(''));
    git('add', '.');
    git('commit', '-q', '-m', `commit ${i}`);
  }
  return path;
}

/**
 * Programs that read their input, do their work and end: a command, and one that waits for its standard input, in which functions
 * are counted. `output` is a file that the program writes.
 */
const COMMANDS = [
  {
    name: 'bash',
    packages: ['bash'],
    needs: ['/usr/bin/bash'],
    command: (at) => ['/usr/bin/bash', at('script', BASH)],
    idle: ['-s'],
  },
  {
    name: 'perl',
    packages: ['perl-base'],
    needs: ['/usr/bin/perl'],
    command: (at) => ['/usr/bin/perl', at('script', PERL)],
    idle: ['-e', '<STDIN>'],
  },
  {
    name: 'python3',
    packages: ['python3.11'],
    needs: ['/usr/bin/python3.11'],
    command: (at) => ['/usr/bin/python3.11', at('script', PYTHON)],
    idle: ['-c', 'input()'],
  },
  {
    name: 'sqlite3',
    packages: ['sqlite3'],
    needs: ['/usr/bin/sqlite3'],
    command: (at) => ['/usr/bin/sqlite3', '-init', at('script', SQL), ':memory:', 'select 1'],
    idle: [':memory:'],
  },
  {
    name: 'git',
    packages: ['git'],
    needs: ['/usr/bin/git'],
    command: (_at, folder) => ['/usr/bin/git', '-C', repository(folder), 'log', '-p', '--stat'],
    idle: ['hash-object', '--stdin'],
    env: gitEnv,
  },
  {
    name: 'gcc',
    packages: ['gcc'],
    needs: ['/usr/bin/gcc'],
    command: (at, folder) => [
      execFileSync('gcc', ['-print-prog-name=cc1'], { encoding: 'utf8' }).trim(),
      ...['-quiet', '-O2', at('source.c', SOURCE), '-o', join(folder, 'assembly')],
    ],
    idle: ['-quiet', '-', '-o', '/dev/null'],
    output: 'assembly',
  },
];

/** How a run ended, and all that it has said. */
async function outcome(start, folder, output) {
  if (output !== undefined) rmSync(join(folder, output), { force: true });
  const ended = await start().catch((error) => error);
  const written = output === undefined ? '' : readFileSync(join(folder, output), 'utf8');
  return { code: ended.code ?? 0, signal: ended.signal ?? null, stdout: ended.stdout, written, stderr: ended.stderr };
}

/** How many functions are traced at once, and how many have no site. */
async function countFunctions(folder, program, args, env) {
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], env });
  await fentry(folder, ['attach', '--native', String(child.pid)]);
  const files = new TracefsClient(join(folder, `${child.pid}.sock`));
  await files.write('current_tracer', 'function');
  const functions = (await linesOf(files, 'enabled_functions')).length;
  const without = (await linesOf(files, 'functions_without_sites')).length;
  child.stdin.end();
  await new Promise((resolve) => child.once('exit', resolve));
  return { functions, without };
}

async function examine({ command, idle, env = {}, output }, folder) {
  const at = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const words = command(at, folder);
  const options = { cwd: folder, maxBuffer: 1 << 30, env };
  const counted = await countFunctions(folder, words[0], idle, { ...process.env, ...env });
  const plain = await outcome(
    () => run(words[0], words.slice(1), { ...options, env: { ...process.env, ...env } }),
    folder,
    output,
  );
  const recording = join(folder, 'recording.dat');
  let events = 0;
  for (const tracer of TRACERS) {
    for (let i = 0; i < RUNS; i++) {
      const record = ['record', '--native', '--max-size', '20M', '-p', tracer, '-o', recording, '--', ...words];
      const traced = await outcome(() => fentry(folder, record, options), folder, output);
      rmSync(recording, { force: true });
      const own = traced.stderr.replaceAll(/^fentry: .*\n/gm, '');
      const differs = ['code', 'signal', 'stdout', 'written'].find((key) => plain[key] !== traced[key]);
      if (differs !== undefined || own !== plain.stderr)
        throw new Error(
          `${tracer}, run ${i + 1}: another ${differs ?? 'stderr'} than plain: ${traced.stderr}\n${String(traced[differs]).slice(-2000)}`,
        );
      const [, all, lost] = /([\d,]+) events, ([\d,]+) lost/.exec(traced.stderr);
      events += Number(all.replaceAll(',', '')) + Number(lost.replaceAll(',', ''));
    }
  }
  return { ...counted, events, result: `${RUNS} runs in each tracer as before, from their start to their end` };
}

export const commands = COMMANDS.map((one) => ({
  name: one.name,
  packages: one.packages,
  needs: one.needs,
  examine: (folder) => examine(one, folder),
}));
