import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { attempt } from '../../src/base/attempt.js';
import { until } from '../e2e/support/program.js';
import { type Arm64Parts, MODULES } from './arm64-parts.js';
import { type ArchiveFiles, initrd } from './initrd.js';

/** An emulated Debian for arm64: its kernel, Node, this clone's dist/, and a compiler that the host runs. */

interface Cleanup {
  after(run: () => void): void;
}

/** A machine that has started. */
export interface Arm64Machine {
  /** Runs a command of a shell in the folder that has dist/; returns what it printed, errors too. */
  run(command: string): Promise<{ readonly code: number; readonly output: string }>;
}

/**
 * What the machine's gcc and g++ are: they send their arguments and sources to the host, and get what its cross compiler has made
 * of them.
 */
const GCC = `#!/bin/sh
[ "$1" = --version ] && exit
until mkdir /tmp/gcc.lock 2>/dev/null; do sleep 0.1; done
trap 'rmdir /tmp/gcc.lock' EXIT
exec 9<>/dev/vport0p1
output=program files=
for word in "$@"; do
  [ "$last" = -o ] && output=$word
  [ -f "$word" ] && files="$files $word"
  last=$word
done
{
  printf '%s\\n' "\${0##*/}" "$@" ''
  tar c $files 2>/dev/null | base64
  echo
} >&9
read -r code lines <&9
if [ "$code" = 0 ]; then head -n "$lines" <&9 | base64 -d >"$output"; chmod +x "$output"; else head -n "$lines" <&9 | base64 -d >&2; fi
exit "$code"
`;

const INIT = `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/root
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /dev/shm
mount -t tmpfs none /dev/shm
mount -t tmpfs none /tmp
ip link set lo up
for module in ${MODULES.join(' ')}; do insmod /modules/$module; done
cd /fentry
stty -echo -onlcr -icrnl
echo '=ready'
while read -r line; do
  (eval "$line") >/tmp/.output 2>&1 </dev/null
  code=$?
  cat /tmp/.output
  echo
  echo "=done $code"
done
poweroff -f
`;

const FOLDERS = ['proc', 'sys', 'dev', 'tmp', 'root', 'bin', 'lib', 'modules', 'modules/virtio', 'modules/char', 'fentry'];
/**
 * The processor has what arm64 has had since: atomic instructions, BTI, pointer authentication (whose real algorithm takes long
 * to emulate).
 */
const MACHINE = [
  '-M',
  'virt,gic-version=3',
  '-cpu',
  'max,pauth-impdef=on,sve=off',
  '-m',
  '1536',
  '-smp',
  '2',
  '-nographic',
  '-no-reboot',
  '-nic',
  'none',
];
const CHANNEL = [
  ...['-device', 'virtio-serial-device', '-chardev', 'socket,id=gcc,path=gcc,server=on,wait=off'],
  ...['-device', 'virtserialport,chardev=gcc,name=gcc'],
];

/** The files below a folder, by their paths from there. */
export function filesOf(folder: string, inside: string): Record<string, { readonly bytes: Uint8Array }> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile() && !one.name.endsWith('.map'),
  );
  const paths = entries.map(({ parentPath, path, name }) => join(parentPath ?? path, name));
  return Object.fromEntries(paths.map((path) => [join(inside, relative(folder, path)), { bytes: readFileSync(path) }]));
}

/** Test files as the machine runs them, each in one piece; names are `src/native/elf/symbols.test`. They are built already. */
export async function testFiles(names: readonly string[]): Promise<ArchiveFiles> {
  const { outputFiles } = await build({
    entryPoints: names.map((name) => join('build', `${name}.js`)),
    outdir: 'build',
    outbase: 'build',
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, platform: 'node', format: 'esm', write: false, logLevel: 'silent' },
    banner: { js: "import { createRequire as require_ } from 'node:module'; const require = require_(import.meta.url);" },
  });
  return Object.fromEntries(
    outputFiles.map(({ path, contents }) => [join('fentry', relative('.', path)), { bytes: contents, mode: 0o100644 }]),
  );
}

/**
 * Boots a machine.
 * @param more files that it has beside those of dist/, by their paths without the first `/`
 */
export async function bootArm64(t: Cleanup, { kernel, files }: Arm64Parts, more: ArchiveFiles = {}): Promise<Arm64Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-arm64-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const script = (text: string) => ({ bytes: Buffer.from(text) });
  const all = {
    ...{ init: script(INIT), 'bin/gcc': script(GCC), 'bin/g++': script(GCC) },
    ...{ ...files, ...filesOf('dist', 'fentry/dist'), ...more },
  };
  writeFileSync(join(folder, 'initrd'), initrd(all, foldersOf(all)));
  const start = ['-kernel', kernel, '-initrd', 'initrd', '-append', 'console=ttyAMA0 quiet panic=1'];
  const child = spawn('qemu-system-aarch64', [...MACHINE, ...CHANNEL, ...start], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
  });
  await until(() => /^=ready\r?$/m.test(output), 'the machine has started');
  serveCompiler(t, join(folder, 'gcc'));
  return {
    async run(command) {
      output = '';
      child.stdin.write(`${command}\n`);
      const end = /\n=done (\d+)\n$/;
      while (!end.test(output)) {
        if (child.exitCode !== null) throw new Error(`the machine has ended: ${output}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const [all, code] = end.exec(output)!;
      return { code: Number(code), output: output.slice(0, -all.length) };
    },
  };
}

/** Every folder that a file is in, the outer ones first. */
export function foldersOf(files: ArchiveFiles, folders: readonly string[] = FOLDERS): readonly string[] {
  const found = new Set(folders);
  for (const name of Object.keys(files)) {
    const parts = name.split('/').slice(0, -1);
    parts.forEach((_, i) => void found.add(parts.slice(0, i + 1).join('/')));
  }
  return [...found];
}

/** Compiles what the machine asks for: lines of arguments, an empty one, an archive of sources as base64, an empty one. */
function serveCompiler(t: Cleanup, path: string): void {
  const socket = connect(path);
  t.after(() => void socket.destroy());
  let asked = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    asked += piece;
    const [, words, archive] = /^(.*?)\n\n(.*?)\n?\n\n/s.exec(asked) ?? [];
    if (words === undefined) return;
    asked = '';
    const { status, bytes } = compiled(words.split('\n'), Buffer.from(archive!, 'base64'));
    const lines = bytes.toString('base64').match(/.{1,76}/g) ?? [];
    socket.write(`${[`${status} ${lines.length}`, ...lines].join('\n')}\n`);
  });
}

function compiled([compiler, ...words]: readonly string[], archive: Buffer): { readonly status: number; readonly bytes: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-gcc-'));
  try {
    mkdirSync(join(folder, 'sources'));
    execFileSync('tar', ['x', '-C', join(folder, 'sources')], { input: archive });
    const output = words[words.indexOf('-o') + 1];
    const made = join(folder, 'made');
    const place = (word: string): string => {
      if (word === output) return made;
      const source = join(folder, 'sources', word);
      return word.startsWith('/') && attempt(() => readFileSync(source)) !== undefined ? source : word;
    };
    const { status, stderr } = spawnSync(`aarch64-linux-gnu-${compiler}`, words.map(place));
    return status === 0 ? { status, bytes: readFileSync(made) } : { status: status ?? 1, bytes: stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
