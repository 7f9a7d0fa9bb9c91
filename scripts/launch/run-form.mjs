// Runs one form plainly, with fentry loaded (`fentry env`), and recorded (`fentry record`), and compares what a user sees.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { LAYOUTS } from './layouts.mjs';

/** Milliseconds after which a form counts as hanging. */
const PATIENCE = 60_000;

/** What is different in every run of the same form, and what it is replaced by. */
const CHANGING = [
  // Node's own frames, of which a stack shows as many as are left of ten.
  [/^ +at .*node:internal.*\n/gm, ''],
  [/\(node:\d+\)/g, '(node:PID)'],
  [/\bpid \d+/g, 'pid PID'],
  [/127\.0\.0\.1:\d+\/[\w-]+/g, '127.0.0.1:PORT/ID'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'],
  [/\d+(\.\d+)?(e-?\d+)? ?ms\b/g, 'N ms'],
  // Of mocha, after a second.
  [/\(\d+s\)/g, '(N ms)'],
  [/duration_ms[: ]+[\d.e-]+/g, 'duration_ms N'],
  [/report\.\d+[\w.]*json/g, 'report.json'],
  [/0x[\da-f]{6,}/g, '0xADDRESS'],
  [/^.*thread id.*$/gim, ''],
];
/** What `fentry record` says itself. */
const OF_RECORD =
  /^fentry: (recording into|nothing is traced:|\d+ events,|of \d+ processes:|not in it:|nothing was recorded).*\n?/gm;

/**
 * @param dist folder of fentry's bundles
 * @param folder where programs are written; one form at a time runs in it
 * @param packages node_modules with the packages of `needs`; undefined for none
 */
export class FormRunner {
  #dist;
  #folder;
  #packages;
  /** The names in the folder of each layout. */
  #own = new Map();

  constructor(dist, folder, packages) {
    this.#dist = dist;
    this.#folder = folder;
    this.#packages = packages;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(folder, { recursive: true });
  }

  /** Why a form is not run on this Node (its major version), or undefined. */
  skips({ from = 0, below = Number.POSITIVE_INFINITY, needs = [] }, major) {
    if (major < from) return `from Node ${from}`;
    if (major >= below) return `below Node ${below}`;
    const missing = needs.find((name) => name !== 'npm' && !existsSync(join(this.#packages ?? '/nowhere', name)));
    return missing && `${missing} is not installed`;
  }

  /** Why none of a form's functions is traced on this Node; undefined: they are. */
  why({ untraced }, major) {
    return typeof untraced === 'string' ? untraced : untraced?.[major];
  }

  /**
   * @param node path of its binary
   * @param modes 'env', 'record'
   * @returns `plain`, and for each mode the outcome and `differences`, the streams or the status that are not as in the plain
   * run;
   *   for `record` the number of `events`, too
   */
  async run(form, node, modes) {
    const plain = await this.#outcome(form, node, 'plain');
    const result = { plain };
    for (const mode of modes) {
      const outcome = await this.#outcome(form, node, mode);
      if (mode === 'record') {
        result.events = Number(/^fentry: (\d+) events/m.exec(outcome.stderr)?.[1] ?? 0);
        outcome.stderr = outcome.stderr.replace(OF_RECORD, '');
      }
      const differences = ['status', 'stdout', 'stderr'].filter((name) => outcome[name] !== plain[name]);
      result[mode] = { ...outcome, differences };
    }
    return result;
  }

  /** The command, and NODE_OPTIONS, in one of the modes; those of the form are not for fentry's own command. */
  #command({ run, env: { NODE_OPTIONS: options } = {} }, node, mode) {
    if (mode !== 'record') {
      const preload = mode === 'env' ? `--require=${join(this.#dist, 'preload.cjs')}` : '';
      return { words: ['sh', '-c', run], options: `${preload} ${options ?? ''}`.trim() };
    }
    const line = options === undefined ? run : `export NODE_OPTIONS='${options}'" $NODE_OPTIONS"; ${run}`;
    const record = ['record', '-p', 'function', '-l', 'launched*', '-o', `${this.#folder}.dat`, '--', 'sh', '-c', line];
    return { words: [node, join(this.#dist, 'cli.js'), ...record], options: undefined };
  }

  /** A folder with the files of a layout, and nothing that an earlier program has left there. */
  #prepare(layout = 'plain') {
    const folder = join(this.#folder, layout);
    if (!existsSync(folder)) {
      LAYOUTS[layout](folder, this.#packages);
      this.#own.set(layout, new Set(readdirSync(folder, { recursive: true })));
      // Node looks for packages in the folders above, too.
      const modules = join(this.#folder, 'node_modules');
      if (this.#packages !== undefined && !existsSync(modules)) symlinkSync(this.#packages, modules);
    }
    for (const name of readdirSync(folder)) {
      if (!this.#own.get(layout).has(name)) rmSync(join(folder, name), { recursive: true });
    }
    return folder;
  }

  #outcome(form, node, mode) {
    const { env: { NODE_OPTIONS: _own, ...env } = {}, cwd = '', layout } = form;
    const {
      words: [command, ...words],
      options,
    } = this.#command(form, node, mode);
    const folder = join(this.#prepare(layout), cwd);
    const bins =
      this.#packages === undefined ? [] : [join(this.#packages, '.bin'), join(this.#packages, '@yarnpkg/cli-dist/bin')];
    const {
      FORCE_COLOR: _color,
      NODE_OPTIONS: _options,
      NODE_V8_COVERAGE: _coverage,
      FENTRY: _fentry,
      NODE_TEST_CONTEXT: _test,
      ...inherited
    } = process.env;
    const child = spawn(command, words, {
      cwd: folder,
      env: {
        ...inherited,
        PATH: [dirname(node), ...bins, inherited.PATH].join(delimiter),
        HOME: this.#folder,
        NO_COLOR: '1',
        ...env,
        ...(options && { NODE_OPTIONS: options }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (texts[name] += text));
    let hangs = false;
    const timer = setTimeout(() => {
      hangs = true;
      process.kill(-child.pid, 'SIGKILL');
    }, PATIENCE);
    return new Promise((resolve) => {
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        const status = hangs ? 'hangs' : (code ?? signal);
        const clean = (text) => CHANGING.reduce((now, [pattern, by]) => now.replace(pattern, by), text);
        resolve({ status, stdout: clean(texts.stdout), stderr: clean(texts.stderr) });
      });
    });
  }
}
