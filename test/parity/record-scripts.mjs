// Runs the scripts of stap/ and bpftrace/, with those of their errors/, with the real stap and bpftrace on a real kernel, and
// keeps what they print: `REFERENCE_KERNEL=COMMAND node test/parity/record-scripts.mjs [PART...]` asks again what is named, as
// `stap/arrays` or `bpftrace`. COMMAND SCRIPT FILE... runs SCRIPT as root on a Linux 6.1 of Debian, with the FILEs in its root
// directory, and prints what the script prints; it puts the programs of $REFKERNEL_PROGS into that system. Needs Debian's
// systemtap, bpftrace, gcc and the headers of that kernel. Modules that were built are kept in $SYSTEMTAP_DIR, where that is set:
// the next recording is faster.
//
// Beside NAME.stp or NAME.bt lie NAME.out (standard output), NAME.err (standard error) and NAME.rc (exit status); an empty
// standard error and the status 0 have no file. A script names its options in a line `# options: WORDS` and its arguments in a
// line `# arguments: WORDS`, where `//` is as good as `#`.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const kernel = process.env.REFERENCE_KERNEL;
if (kernel === undefined) {
  console.error('set REFERENCE_KERNEL to the command that runs a script on a real kernel');
  process.exit(1);
}
for (const tool of ['stap', 'bpftrace', 'gcc']) {
  if (spawnSync(tool, ['--version']).error === undefined) continue;
  console.error(`${tool} is not installed: nothing is recorded`);
  process.exit(1);
}

const wanted = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'script-parity-'));
const cache = process.env.SYSTEMTAP_DIR ?? join(work, 'cache');
/** What runs a script of each tool. */
const PROGRAMS = { stap: 'staprun /usr/lib/systemtap/stapio timeout base64', bpftrace: 'bpftrace timeout base64' };
const SECONDS_A_SCRIPT = 20;
/** What says nothing of the script: the kernel has no symbols here, and Debian adds a line of its own. */
const NOISE = /^(?:WARNING: Kernel function symbol table missing.*|Tip: .*README\.Debian.*)\n/gm;

const names = (folder, end) =>
  readdirSync(join(here, folder))
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name.slice(0, -end.length)}`)
    .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

/** The words of a line `# WORD: ...`. */
function words(text, word) {
  const [, line] = new RegExp(`^(?:#|//) ${word}: (.*)$`, 'm').exec(text) ?? [];
  return line === undefined ? [] : [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
}

function ask(tool, script, ...files) {
  const file = join(work, 'script.sh');
  writeFileSync(file, script);
  const env = { ...process.env, REFKERNEL_PROGS: PROGRAMS[tool], REFKERNEL_TIMEOUT: '1800' };
  return execFileSync(kernel, [file, ...files], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Keeps what a script answered. */
function keep(name, { stdout, stderr, status }) {
  const file = (end) => join(here, `${name}.${end}`);
  for (const end of ['err', 'rc']) rmSync(file(end), { force: true });
  writeFileSync(file('out'), stdout);
  if (stderr.length > 0) writeFileSync(file('err'), stderr);
  if (status !== 0) writeFileSync(file('rc'), `${status}\n`);
}

/**
 * The runtime of SystemTap 4.8 for the kernels whose task_work_cancel() takes a callback: what it took before, a function, the
 * function of the longer name takes.
 */
function patchedRuntime() {
  const folder = join(cache, 'runtime');
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  cpSync('/usr/share/systemtap/runtime', folder, { recursive: true });
  const file = join(folder, 'stp_task_work.c');
  const text = readFileSync(file, 'utf8');
  const patched = text
    .replace('typeof(&task_work_cancel)', 'typeof(&task_work_cancel_func)')
    .replace('kallsyms_lookup_name("task_work_cancel")', 'kallsyms_lookup_name("task_work_cancel_func")');
  writeFileSync(file, patched);
  return folder;
}

/** A library that has stap see the release of the reference kernel: it runs what it builds for the kernel that it runs on. */
function releaseLibrary(release) {
  const source = join(work, 'release.c');
  const library = join(work, 'release.so');
  writeFileSync(
    source,
    `#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
int uname(struct utsname *name) { long error = syscall(SYS_uname, name); strcpy(name->release, "${release}"); return error; }
`,
  );
  execFileSync('gcc', ['-shared', '-fPIC', '-o', library, source]);
  return library;
}

/** In place of staprun: keeps the module and the command line in $KEPT, and answers what $KEPT has, where it has an answer. */
function staprun() {
  const file = join(work, 'staprun');
  writeFileSync(
    file,
    `#!/bin/bash
mkdir -p "$KEPT"
if [ -e "$KEPT/status" ]; then cat "$KEPT/stdout"; cat "$KEPT/stderr" >&2; exit "$(cat "$KEPT/status")"; fi
for word; do case $word in *.ko) cp "$word" "$KEPT/"; word=$(basename "$word") ;; esac; printf '%q ' "$word"; done > "$KEPT/command"
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const section = (name, command) => `
cd /tmp
timeout ${SECONDS_A_SCRIPT} ${command} < /dev/null > /tmp/stdout 2> /tmp/stderr
echo "=== ${name} $?"; base64 /tmp/stdout; echo ---; base64 /tmp/stderr; echo ---
rm -f /tmp/stdout /tmp/stderr`;

/** The sections of what the kernel printed: of each name the two outputs and the status. */
function* sections(text) {
  for (const part of text.split(/^=== /m).slice(1)) {
    const [head, ...rest] = part.split('\n');
    const [name, status] = head.split(' ');
    const [stdout, stderr] = rest.join('\n').split('---\n');
    yield { name, status: Number(status), stdout: Buffer.from(stdout, 'base64'), stderr: Buffer.from(stderr, 'base64') };
  }
}

function recordStap(scripts) {
  const release = ask('stap', 'uname -r\n').trim();
  const modules = join(work, 'modules');
  const shared = {
    ...process.env,
    SYSTEMTAP_DIR: cache,
    SYSTEMTAP_STAPRUN: staprun(),
    LD_PRELOAD: releaseLibrary(release),
    LC_ALL: 'C',
  };
  const runtime = patchedRuntime();
  const stap = (name) => {
    const text = readFileSync(join(here, `${name}.stp`), 'utf8');
    const line = ['-R', runtime, ...words(text, 'options'), `${basename(name)}.stp`, ...words(text, 'arguments')];
    const folder = join(here, dirname(name));
    return spawnSync('stap', line, { cwd: folder, env: { ...shared, KEPT: join(modules, name) }, encoding: 'latin1' });
  };
  const answer = ({ stdout, stderr, status }) => ({
    status,
    stdout: Buffer.from(stdout, 'latin1'),
    stderr: Buffer.from(
      stderr.replace(NOISE, '').replaceAll(shared.SYSTEMTAP_STAPRUN, '/usr/bin/staprun').replaceAll(`${runtime}/`, ''),
      'latin1',
    ),
  });
  let script = 'mkdir -p /usr/lib/systemtap; ln -s /usr/bin/stapio /usr/lib/systemtap/stapio\n';
  const built = [];
  mkdirSync(modules, { recursive: true });
  for (const name of scripts) {
    const done = stap(name);
    const command = join(modules, name, 'command');
    if (!existsSync(command)) {
      keep(name, answer(done));
      console.log(`${name}: refused, ${done.status}`);
      continue;
    }
    built.push(name);
    script += section(name, `bash -c 'cd /modules/${name} && eval "exec staprun $(cat command)"'`);
  }
  for (const { name, stdout, stderr, status } of sections(ask('stap', `${script}\nexit 0\n`, modules))) {
    const kept = join(modules, name);
    writeFileSync(join(kept, 'stdout'), stdout);
    writeFileSync(join(kept, 'stderr'), stderr);
    writeFileSync(join(kept, 'status'), `${status}`);
    keep(name, answer(stap(name)));
    built.splice(built.indexOf(name), 1);
    console.log(`${name}: ${stdout.length} bytes, ${status}`);
  }
  for (const name of built) console.error(`${name}: no answer`);
}

function recordBpftrace(scripts) {
  const folder = join(work, 'bpftrace-scripts');
  let script = '';
  mkdirSync(folder);
  for (const name of scripts) {
    const text = readFileSync(join(here, `${name}.bt`), 'utf8');
    cpSync(join(here, `${name}.bt`), join(folder, `${name}.bt`));
    const line = [...words(text, 'options'), `${basename(name)}.bt`, ...words(text, 'arguments')];
    script += section(name, `bash -c 'cd /bpftrace-scripts/${dirname(name)} && exec bpftrace ${line.join(' ')}'`);
  }
  for (const { name, ...answer } of sections(ask('bpftrace', `${script}\nexit 0\n`, folder))) {
    keep(name, answer);
    console.log(`${name}: ${answer.stdout.length} bytes, ${answer.status}`);
  }
}

try {
  const stap = [...names('stap', '.stp'), ...names('stap/errors', '.stp')];
  const bpftrace = [...names('bpftrace', '.bt'), ...names('bpftrace/errors', '.bt')];
  if (stap.length > 0) recordStap(stap);
  if (bpftrace.length > 0) recordBpftrace(bpftrace);
} finally {
  rmSync(work, { recursive: true, force: true });
}
