import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { attempt } from '../../src/base/attempt.js';
import { until } from '../e2e/support/program.js';
import { initrd } from './initrd.js';

/** A Linux 6.1 in an emulated machine, behind a stub of GDB. */

interface Cleanup {
  after(run: () => void): void;
}

/** What the kernel runs: reads and writes files of tracefs as it is told over the serial line. */
const INIT = `
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
static char line[4096], *word[3];
static void show(FILE *file, const char *start) {
  char text[4096];
  while (file && fgets(text, sizeof text, file)) if (strncmp(text, start, strlen(start)) == 0) printf("= %s", text);
}
int main(void) {
  mkdir("/t", 0700);
  if (mount("nodev", "/t", "tracefs", 0, 0) != 0) perror("tracefs");
  chdir("/t");
  setbuf(stdout, 0);
  puts("= ready");
  while (fgets(line, sizeof line, stdin)) {
    word[0] = strtok(line, " \\r\\n"); word[1] = strtok(0, " \\r\\n"); word[2] = strtok(0, "\\r\\n");
    if (!word[0] || !word[1]) continue;
    if (!word[2]) word[2] = "";
    if (strcmp(word[0], "read") == 0) {
      FILE *file = fopen(word[1], "r");
      show(file, word[2]);
      if (file) fclose(file);
    } else {
      int fd = open(word[1], O_WRONLY | O_TRUNC);
      if (write(fd, word[2], strlen(word[2])) < 0) perror("= write");
      close(fd);
    }
    puts("= done");
  }
  return 0;
}
`;

const CACHE = resolve('.cache', 'kernel');
const KERNEL = /^vmlinuz-6\.1\..*-amd64$/;

/** The path of Debian's Linux 6.1 for x86-64: an installed one, or that of the package; undefined: there is none to be had. */
function kernelImage(): string | undefined {
  const given = process.env['FENTRY_TEST_KERNEL'];
  if (given !== undefined) return given;
  for (const folder of ['/boot', join(CACHE, 'boot')]) {
    const name = (attempt(() => readdirSync(folder)) ?? []).find((one) => KERNEL.test(one));
    if (name !== undefined && attempt(() => execFileSync('test', ['-r', join(folder, name)])) !== undefined)
      return join(folder, name);
  }
  return process.getuid?.() === 0 ? attempt(downloaded) : undefined;
}

/** Unpacks the kernel of Debian's package. */
function downloaded(): string | undefined {
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: CACHE, encoding: 'utf8', timeout: 120_000, stdio: ['ignore', 'pipe', 'ignore'] });
  mkdirSync(CACHE, { recursive: true });
  const depends = run('apt-cache', 'depends', 'linux-image-amd64');
  const name = /linux-image-6\.1\.\S+-amd64/.exec(depends)?.[0];
  if (name === undefined) return undefined;
  run('apt-get', 'download', name);
  const file = readdirSync(CACHE).find((one) => one.startsWith(`${name}_`))!;
  run('sh', '-c', `dpkg --fsys-tarfile ${file} | tar x --wildcards './boot/vmlinuz-*' && rm ${file}`);
  return join(CACHE, 'boot', readdirSync(join(CACHE, 'boot')).find((one) => KERNEL.test(one))!);
}

const lacks = (command: string): boolean =>
  attempt(() => execFileSync(command, ['--version'], { stdio: 'ignore' })) === undefined;

/** Why no kernel can be run here; or its path. */
export function kernelOrReason(): { readonly image: string } | { readonly reason: string } {
  if (process.arch !== 'x64') return { reason: 'the kernel is one for x86-64' };
  for (const command of ['qemu-system-x86_64', 'gcc', 'xz']) if (lacks(command)) return { reason: `there is no ${command}` };
  const image = kernelImage();
  return image !== undefined && existsSync(image)
    ? { image }
    : { reason: 'there is no Linux 6.1 of Debian here, and none can be downloaded' };
}

/** A kernel that has started. */
export interface KernelMachine {
  /** The socket of its stub. */
  readonly gdb: string;
  /** Writes a control file. */
  write(file: string, text: string): Promise<void>;
  /** The lines of a control file that begin so. */
  lines(file: string, start: string): Promise<readonly string[]>;
}

/** Boots a kernel. */
export async function boot(t: Cleanup, folder: string, image: string): Promise<KernelMachine> {
  const name = (file: string): string => join(folder, file);
  writeFileSync(name('init.c'), INIT);
  execFileSync('gcc', ['-O1', '-static', '-o', name('init'), name('init.c')], { stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(name('initrd'), initrd({ init: { bytes: readFileSync(name('init')) } }));
  const gdb = name('gdb');
  const machine = ['-accel', 'tcg', '-cpu', 'max', '-m', '512', '-smp', '2', '-nographic', '-no-reboot'];
  const start = ['-kernel', image, '-initrd', name('initrd'), '-append', 'console=ttyS0 quiet panic=1'];
  const child = spawn('qemu-system-x86_64', [...machine, ...start, '-gdb', `unix:${basename(gdb)},server=on,wait=off`], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  t.after(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('latin1').on('data', (piece: string) => {
    output += piece;
  });
  const said = (): string[] => [...output.matchAll(/= (.*?)\r?\n/g)].map(([, line]) => line!);
  await until(() => said().includes('ready'), 'the kernel has started');
  const told = async (command: string): Promise<readonly string[]> => {
    output = '';
    child.stdin.write(`${command}\n`);
    await until(() => said().includes('done'), command);
    return said().slice(0, -1);
  };
  return {
    gdb,
    write: async (file, text) => {
      const refused = await told(`write ${file} ${text}`);
      if (refused.length > 0) throw new Error(`${file}: ${refused.join(' ')}`);
    },
    lines: (file, start) => told(`read ${file} ${start}`),
  };
}
