// Asks the real kernel what its livepatch/ shows and refuses, and keeps the answer in golden.txt:
// `REFERENCE_KERNEL=COMMAND KERNEL_SOURCE=FOLDER node test/parity/livepatch/record.mjs`. COMMAND SCRIPT FILE... runs SCRIPT as
// root in the tracing directory of a Linux 6.1 with CONFIG_LIVEPATCH, with the FILEs in its root directory, and prints what the
// script prints. FOLDER has the source of that kernel, with its .config: the patches are built there, by gcc, make, flex, bison
// and libelf's headers.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const { REFERENCE_KERNEL: kernel, KERNEL_SOURCE: source } = process.env;
if (kernel === undefined || source === undefined) {
  console.error(
    'set REFERENCE_KERNEL to the command that runs a script on a real kernel, and KERNEL_SOURCE to the folder of its source',
  );
  process.exit(1);
}

const WAITING = '#include <unistd.h>\nint main(void) { for (;;) pause(); }\n';
const PRELUDE = `TRACING=/sys/kernel/tracing
load() { insmod /$1.ko 2>&1 | sed 's/.*: /load: /'; }
wait_in_pause() { /waiting & while ! grep -q do_sys_pause /proc/$!/stack; do sleep 0.1; done; }
cd /sys/kernel/livepatch
`;

const work = mkdtempSync(join(tmpdir(), 'livepatch-parity-'));
try {
  const at = (name) => join(work, name);
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  for (const name of ['one', 'both']) copyFileSync(join(here, 'patches.c'), at(`${name}.c`));
  writeFileSync(at('Makefile'), 'obj-m += one.o both.o\nCFLAGS_both.o := -DBOTH\n');
  run('make', '-C', source, 'modules_prepare');
  // The symbols of the kernel are not looked up: it has no versions of them.
  run('make', '-C', source, `M=${work}`, 'KBUILD_MODPOST_WARN=1', 'modules');
  writeFileSync(at('waiting.c'), WAITING);
  run('gcc', '-static', '-O2', '-o', 'waiting', 'waiting.c');
  writeFileSync(at('script.sh'), `${PRELUDE}${readFileSync(join(here, 'script.sh'), 'utf8')}exit 0\n`);
  const text = run(kernel, at('script.sh'), at('one.ko'), at('both.ko'), at('waiting'));
  writeFileSync(join(here, 'golden.txt'), text);
  console.log(`${text.split('\n').length - 1} lines`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
