import type { Bash, BashExecResult, Command } from 'just-bash';
import type { FileSession } from '../../client/file-session.js';
import { REDIRECT, redirectionPlugin } from './redirections.js';
import { treeFileSystem } from './tree-file-system.js';
import { errorWords, TreeFiles } from './tree-files.js';

/** The paths that scripts written for the kernel use. */
const TRACING = '/sys/kernel/tracing';
const PLACES = [TRACING, '/sys/kernel/debug/tracing'] as const;
/** A trace is long. */
const MOST_BYTES = 1 << 30;

/** A bash within this process, whose /sys/kernel/tracing is the tree of a traced process. */
export class TraceShell {
  readonly files: TreeFiles;
  readonly #bash: Bash;
  #env: Record<string, string> = {};
  #cwd: string = TRACING;

  private constructor(files: TreeFiles, bash: Bash) {
    this.files = files;
    this.#bash = bash;
  }

  static async open(session: FileSession): Promise<TraceShell> {
    const { Bash, InMemoryFs, MountableFs } = await import('just-bash/browser');
    const files = new TreeFiles(session);
    const fs = new MountableFs({ base: new InMemoryFs() });
    for (const place of PLACES) fs.mount(place, treeFileSystem(files));
    const bash = new Bash({
      fs,
      cwd: TRACING,
      executionLimits: { maxStringLength: MOST_BYTES, maxOutputSize: MOST_BYTES },
      customCommands: [redirectCommand(files), catCommand(files), rmdirCommand(files)],
    });
    bash.registerTransformPlugin(redirectionPlugin);
    return new TraceShell(files, bash);
  }

  get cwd(): string {
    return this.#cwd;
  }

  /** Runs commands; the directory and the variables stay for the next ones. */
  async run(text: string): Promise<BashExecResult> {
    const result = await this.#bash.exec(text, { env: this.#env, cwd: this.#cwd, rawScript: true });
    this.#env = result.env;
    this.#cwd = result.env['PWD'] ?? this.#cwd;
    return result;
  }

  /** The control file that a word names, or undefined if it is not one. */
  fileOf(word: string): string | undefined {
    return controlFile(word, this.#cwd);
  }
}

function controlFile(word: string, cwd: string): string | undefined {
  const path = new URL(word, `file://${cwd}/`).pathname;
  const place = PLACES.find((one) => path.startsWith(`${one}/`));
  return place === undefined ? undefined : decodeURIComponent(path.slice(place.length + 1));
}

/** `redirect > FILE`: writes what it reads; its status is the result of the write. */
const redirectCommand = (files: TreeFiles): Command => ({
  name: REDIRECT,
  async execute([operator = '>', word = ''], { stdin, fs, cwd }) {
    const bytes = Buffer.from(stdin as unknown as string, 'latin1');
    const path = controlFile(word, cwd);
    try {
      if (path !== undefined) await files.write(path, bytes, operator === '>>');
      else if (operator === '>>') await fs.appendFile(fs.resolvePath(cwd, word), bytes);
      else await fs.writeFile(fs.resolvePath(cwd, word), bytes);
      return { stdout: '', stderr: '', exitCode: 0 };
    } catch (error) {
      return { stdout: '', stderr: `bash: ${word}: ${errorWords(error, true)}\n`, exitCode: 1 };
    }
  },
});

/** cat of control files, with their own errors. */
const catCommand = (files: TreeFiles): Command => ({
  name: 'cat',
  async execute(words, { stdin, fs, cwd }) {
    const parts: Buffer[] = [];
    let stderr = '';
    for (const word of words.length === 0 ? ['-'] : words) {
      try {
        const path = controlFile(word, cwd);
        if (word === '-') parts.push(Buffer.from(stdin as unknown as string, 'latin1'));
        else if (path !== undefined) parts.push(await files.read(path));
        else parts.push(Buffer.from(await fs.readFileBuffer(fs.resolvePath(cwd, word))));
      } catch (error) {
        stderr += `cat: ${word}: ${errorWords(error)}\n`;
      }
    }
    const stdout = Buffer.concat(parts).toString('latin1');
    return { stdout: stdout as never, stdoutKind: 'bytes', stderr, exitCode: stderr === '' ? 0 : 1 };
  },
});

/** rmdir of an instance, which is never empty. */
const rmdirCommand = (files: TreeFiles): Command => ({
  name: 'rmdir',
  async execute(words, { fs, cwd }) {
    let stderr = '';
    for (const word of words) {
      try {
        const path = controlFile(word, cwd);
        if (path === undefined) await fs.rm(fs.resolvePath(cwd, word));
        else await files.session.request('rmdir', { path });
      } catch (error) {
        stderr += `rmdir: failed to remove '${word}': ${errorWords(error)}\n`;
      }
    }
    return { stdout: '', stderr, exitCode: stderr === '' ? 0 : 1 };
  },
});
