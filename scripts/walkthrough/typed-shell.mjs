import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';

/** Printed after each command, so that its output is known to be whole; no file of the tree holds it. */
const DONE = '<<typed>>';
/** No command takes this long, in milliseconds; one that does has its shell killed. */
const PATIENCE = 60_000;

/** A shell that is typed into, one command after the other. */
export class TypedShell {
  #child;
  #output = '';
  #ended = false;
  #end;

  constructor(command, args, env) {
    this.#child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    this.#child.stdout.setEncoding('utf8').on('data', (text) => {
      this.#output += text;
    });
    this.#end = once(this.#child, 'close').then(() => {
      this.#ended = true;
    });
    this.#child.stdin.write('exec 2>&1\n');
  }

  /** Types a line; resolves with what it printed, errors included. */
  async type(line) {
    this.#output = '';
    this.#child.stdin.write(`${line}\necho '${DONE}'\n`);
    const timer = setTimeout(() => process.kill(-this.#child.pid, 'SIGKILL'), PATIENCE);
    while (!this.#output.includes(`${DONE}\n`)) {
      if (this.#ended) throw new Error(`the shell ended at: ${line}\n${this.#output}`);
      await Promise.race([once(this.#child.stdout, 'data'), this.#end]);
    }
    clearTimeout(timer);
    return this.#output.slice(0, this.#output.indexOf(DONE));
  }

  async end() {
    if (!this.#ended) this.#child.stdin.end('exit\n');
    await this.#end;
  }
}
