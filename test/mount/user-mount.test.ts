import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Sandbox } from '../e2e/support/program.js';
import { CANNOT_MOUNT } from './mountable.js';

const NOBODY = 65534;

function whyNot(): string | false {
  if (CANNOT_MOUNT !== false) return CANNOT_MOUNT;
  for (const tool of ['fusermount3', 'perl', 'setpriv']) {
    try {
      execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
    } catch {
      return `${tool} is not installed`;
    }
  }
  return false;
}

const AS_NOBODY = ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups'];

/** Becomes nobody, in a mount namespace whose /dev/fuse everybody may open, as on most systems. */
const BECOME_NOBODY = `
mount -t tmpfs tmpfs /mnt && mknod -m 666 /mnt/fuse c 10 229 && mount --bind /mnt/fuse /dev/fuse
exec setpriv ${AS_NOBODY.join(' ')} sh -c "$1"
`;

test('a user who is not root mounts by fusermount3', { skip: whyNot() }, async (t) => {
  const { folder, file } = sandboxOfNobody(new Sandbox(t));
  const dist = resolve('dist');
  const needed = [process.execPath, `${dist}/index.js`, file];
  const unread = needed.find((path) => spawnSync('setpriv', [...AS_NOBODY, 'test', '-r', path]).status !== 0);
  if (unread !== undefined) return t.skip(`user ${NOBODY} cannot read ${unread}`);
  const script = `
    exec 2>&1
    export LC_ALL=C FENTRY_DIR=${folder}/own FENTRY_CACHE=${folder}/cache HOME=${folder}
    mkdir -m 700 $FENTRY_DIR; mkdir ${folder}/tracing
    '${process.execPath}' --import '${pathToFileURL(`${dist}/index.js`).href}' '${file}' &
    program=$!
    fentry() { '${process.execPath}' '${dist}/cli.js' "$@"; }
    until [ -S $FENTRY_DIR/$program.sock ]; do kill -0 $program || exit; sleep 0.05; done
    fentry mount ${folder}/tracing && cd ${folder}/tracing
    cat current_tracer
    echo function > current_tracer && cat current_tracer
    stat -c '%u %a' trace
    cd /
    fentry unmount ${folder}/tracing; echo $?
    kill $program
  `;
  const said = execFileSync('unshare', ['--mount', 'sh', '-c', BECOME_NOBODY, 'sh', script], { encoding: 'utf8' });
  assert.equal(said, `nop\nfunction\n${NOBODY} 640\n0\n`);
});

function sandboxOfNobody(sandbox: Sandbox): { folder: string; file: string } {
  chmodSync(sandbox.folder, 0o777);
  const file = sandbox.file('idle.cjs', 'function f() {} setInterval(f, 100);');
  chmodSync(file, 0o644);
  return { folder: sandbox.folder, file };
}
