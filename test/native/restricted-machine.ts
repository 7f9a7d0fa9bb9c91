import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { attempt } from '../../src/base/attempt.js';
import { filesOf, foldersOf } from './arm64-machine.js';
import { type ArchiveFiles, initrd } from './initrd.js';

/**
 * An emulated Debian whose kernel has Yama and `proc_mem.force_override`: Linux 6.12 of bookworm-backports, Node and its
 * libraries from here.
 */

const CACHE = resolve('.cache', 'restricted');
const BACKPORTS = `Types: deb
URIs: http://deb.debian.org/debian
Suites: bookworm-backports bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;
const PACKAGE = 'linux-image-cloud-amd64';
const FOLDERS = ['proc', 'sys', 'dev', 'tmp', 'bin', 'fentry', 'program'];
/** QEMU 7.2 emulates cmpxchg16b wrongly for several processors (its flags): the kernel does without it. */
const MACHINE = ['-accel', 'tcg', '-cpu', 'max,cx16=off', '-m', '1024', '-smp', '2', '-nographic', '-no-reboot'];
/** A machine ends by itself; one that does not is ended: milliseconds. */
const PATIENCE = 300_000;

const INIT = `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs -o mode=1777 none /tmp
ip link set lo up
cd /fentry
stty -onlcr
echo
. /command
echo "=done $?"
poweroff -f
`;

/** What a machine is made of. */
export interface RestrictedParts {
  readonly kernel: string;
  readonly files: ArchiveFiles;
}

const lacks = (program: string): boolean =>
  attempt(() => execFileSync(program, ['--version'], { stdio: 'ignore' })) === undefined;

/** What it is made of; or why there is none. What is missing is downloaded once, by apt. */
export function restrictedPartsOrReason(): RestrictedParts | { readonly reason: string } {
  if (process.arch !== 'x64') return { reason: 'the kernel is one for x86-64' };
  for (const command of ['qemu-system-x86_64', 'gcc']) if (lacks(command)) return { reason: `there is no ${command}` };
  try {
    mkdirSync(CACHE, { recursive: true });
    fetchPackages();
    const busybox = { bytes: readFileSync(join(CACHE, 'busybox')) };
    return { kernel: join(CACHE, 'vmlinuz'), files: { 'bin/busybox': busybox, ...withLibraries(process.execPath, 'bin/node') } };
  } catch (error) {
    return { reason: `no Linux 6.12 of Debian is here, and none can be downloaded: ${(error as Error).message.split('\n')[0]}` };
  }
}

/** A program and the libraries that it loads, as they lie here. */
export function withLibraries(path: string, as: string): ArchiveFiles {
  const libraries = execFileSync('ldd', [path], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  const found = libraries.map((file) => [file.slice(1), { bytes: readFileSync(file) }] as const);
  return { [as]: { bytes: readFileSync(path) }, ...Object.fromEntries(found) };
}

/**
 * Now and then the emulated kernel dies of a breakpoint while it patches its own text. It has run nothing then, and is started
 * again: so often at most.
 */
const BROKEN = /^\[[^\]]*\] Oops: int3: /m;
const BOOTS = 3;

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd: CACHE, encoding: 'utf8', timeout: 180_000, stdio: ['ignore', 'pipe', 'ignore'] });

function fetchPackages(): void {
  if (existsSync(join(CACHE, 'vmlinuz')) && existsSync(join(CACHE, 'busybox'))) return;
  const folder = join(CACHE, 'apt');
  for (const name of ['lists/partial', 'archives/partial']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'backports.sources'), BACKPORTS);
  // apt's own state is left alone.
  const options = [
    'APT::Sandbox::User=root',
    `Dir::Etc::sourcelist=${join(folder, 'backports.sources')}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::Cache=${folder}`,
    'Dir::State::status=/dev/null',
  ].flatMap((option) => ['-o', option]);
  run('apt-get', ...options, 'update');
  const depends = run('apt-cache', ...options, 'show', `${PACKAGE}/bookworm-backports`);
  const kernel = /linux-image-6\.12\.\S+-cloud-amd64/.exec(depends)?.[0];
  if (kernel === undefined) throw new Error(`bookworm-backports has no ${PACKAGE} 6.12`);
  for (const name of [kernel, 'busybox-static']) {
    run('apt-get', ...options, 'download', name);
    const file = readdirSync(CACHE).find((one) => one.startsWith(`${name}_`))!;
    run('sh', '-c', `dpkg --fsys-tarfile '${file}' | tar x --wildcards './boot/vmlinuz-*' ./bin/busybox || true`);
    rmSync(join(CACHE, file));
  }
  renameSync(join(CACHE, 'bin/busybox'), join(CACHE, 'busybox'));
  const boot = join(CACHE, 'boot');
  renameSync(join(boot, readdirSync(boot).find((name) => name.startsWith('vmlinuz-'))!), join(CACHE, 'vmlinuz'));
  for (const name of ['boot', 'bin', 'apt']) rmSync(join(CACHE, name), { recursive: true, force: true });
}

/**
 * Boots a machine, which runs a command of a shell beside dist/, and ends.
 * @param folder for its files
 * @param parameters of its kernel
 * @param more files that it has beside those of dist/, by their paths without the first `/`
 * @returns what the command printed
 */
export function runRestricted(
  { kernel, files }: RestrictedParts,
  folder: string,
  {
    parameters = '',
    command,
    more,
    patience = PATIENCE,
  }: { readonly parameters?: string; readonly command: string; readonly more: ArchiveFiles; readonly patience?: number },
): { readonly code: number; readonly output: string } {
  const script = (text: string) => ({ bytes: Buffer.from(text) });
  const all = { init: script(INIT), command: script(`${command}\n`), ...files, ...filesOf('dist', 'fentry/dist'), ...more };
  writeFileSync(join(folder, 'initrd'), initrd(all, foldersOf(all, FOLDERS)));
  const start = ['-kernel', kernel, '-initrd', 'initrd', '-append', `console=ttyS0 quiet panic=-1 ${parameters}`];
  for (let boot = 1; ; boot++) {
    const { stdout } = spawnSync('qemu-system-x86_64', [...MACHINE, ...start], {
      cwd: folder,
      encoding: 'utf8',
      timeout: patience,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const code = /^=done (\d+)\r?$/m.exec(stdout)?.[1];
    if (code !== undefined || boot === BOOTS || !BROKEN.test(stdout)) return { code: Number(code ?? -1), output: stdout };
  }
}
