// Workplace: a folder in which a question is asked, with a copy of its program, and the commands node and fentry.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAMS = join(ROOT, 'test/cases/fixtures');

export const isRunning = ({ exitCode, signalCode }) => exitCode === null && signalCode === null;

export class Workplace {
  #folder = realpathSync(mkdtempSync(join(tmpdir(), 'fentry-question-')));
  #children = [];

  /** In `program` of test/cases/fixtures. */
  constructor(program) {
    cpSync(join(PROGRAMS, program), this.#path('app'), { recursive: true });
    mkdirSync(this.#path('sockets'), { mode: 0o700 });
    mkdirSync(this.#path('node_modules'));
    symlinkSync(ROOT, this.#path('node_modules/fentry'));
    mkdirSync(this.#path('bin'));
    this.#command('fentry', `"${process.execPath}" "${join(ROOT, 'dist/cli.js')}"`);
    this.#command('node', `"${process.execPath}"`);
  }

  #path(name) {
    return join(this.#folder, name);
  }

  #command(name, words) {
    writeFileSync(this.#path(`bin/${name}`), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  }

  /** Runs a line in bash, in the program's folder; the child is the line's last command. `heard.text` is what it prints. */
  type(line, variables = {}) {
    const { NODE_OPTIONS: _options, FORCE_COLOR: _color, NODE_V8_COVERAGE: _coverage, ...inherited } = process.env;
    const child = spawn('bash', ['-c', line], {
      cwd: this.#path('app'),
      env: {
        ...inherited,
        PATH: `${this.#path('bin')}:${process.env.PATH}`,
        FENTRY: '',
        FENTRY_DIR: this.#path('sockets'),
        FENTRY_CACHE: this.#path('cache'),
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // All that it starts ends with it.
      detached: true,
    });
    this.#children.push(child);
    const heard = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        heard.text += chunk.replaceAll(`${this.#path('app')}/`, '').replaceAll(this.#path('app'), '.');
      });
    }
    return { child, heard };
  }

  /** Ends what still runs, and removes the folder. */
  async leave() {
    await Promise.all(
      this.#children.filter(isRunning).map(async (child) => {
        process.kill(-child.pid, 'SIGKILL');
        await once(child, 'close');
      }),
    );
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
