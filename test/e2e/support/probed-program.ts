import type { ChildProcess } from 'node:child_process';
import { TraceError } from '../../../src/base/errno.js';
import type { TraceClient } from '../../../src/client/trace-client.js';
import { type Sandbox, until } from './program.js';

/** Waits for a write to a program whose threads may be too busy to obey at once: they do so when they run again. */
export async function untilAnswered(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof TraceError) || error.errno !== 'ETIMEDOUT') throw error;
  }
}

/** A program that prints a line for each turn of what it does, and has fentry. */
export class ProbedProgram {
  readonly child: ChildProcess & { readonly pid: number };
  readonly files: TraceClient;
  /** The different lines that it has printed, with how often. */
  readonly lines = new Map<string, number>();
  #events = 0;

  private constructor(child: ChildProcess & { readonly pid: number }, files: TraceClient) {
    this.child = child;
    this.files = files;
    let text = '';
    child.stdout!.setEncoding('utf8').on('data', (data: string) => {
      const lines = (text + data).split('\n');
      text = lines.pop()!;
      for (const line of lines) this.lines.set(line, (this.lines.get(line) ?? 0) + 1);
    });
  }

  /** Starts a program, and waits for its first line. */
  static async start(
    sandbox: Sandbox,
    source: string,
    {
      name = 'program.cjs',
      parameters = '',
    }: { readonly name?: string /** Parameters of FENTRY. */; readonly parameters?: string } = {},
  ): Promise<ProbedProgram> {
    const child = await sandbox.start(source, { FENTRY: parameters }, name);
    const program = new ProbedProgram(child, sandbox.client(child.pid));
    await until(() => program.lines.size > 0, 'the program prints');
    return program;
  }

  /**
   * Adds a probe, `p PLACE [ARGS]`, and switches it on. Returns the name of its event, or, behind `refused: `, why there is none.
   */
  async probe(line: string, file = 'kprobe_events'): Promise<string> {
    const event = `e${++this.#events}`;
    try {
      await untilAnswered(this.files.append(file, `${line.replace(/^(\w)(\d*) /, `$1$2:${event} `)}\n`));
      await untilAnswered(this.files.write(`events/${file === 'kprobe_events' ? 'kprobes' : 'uprobes'}/${event}/enable`, '1'));
      return event;
    } catch (error) {
      if (error instanceof TraceError) return `refused: ${error.message}`;
      throw error;
    }
  }

  /** What the records of an event say behind their places, each text once, once there are so many different ones. */
  async heard(event: string, count = 1): Promise<readonly string[]> {
    let texts: readonly string[] = [];
    const mark = ` ${event}: `;
    await until(async () => {
      const records = (await this.files.read('trace')).split('\n').filter((line) => line.includes(mark));
      texts = [...new Set(records.map((line) => line.slice(line.indexOf(') ', line.indexOf(mark)) + 2)))];
      return texts.length >= count;
    }, `${event} is heard`);
    return texts;
  }

  /** Hits and misses of an event's probe. */
  async counts(event: string): Promise<readonly [hits: number, misses: number]> {
    const [, hits, misses] = new RegExp(`^ *${event} +(\\d+) +(\\d+)$`, 'm').exec(await this.files.read('kprobe_profile')) ?? [];
    return [Number(hits), Number(misses)];
  }

  /** Waits until the program has done so many more turns. */
  async turns(count: number): Promise<void> {
    const turns = (): number => [...this.lines.values()].reduce((sum, one) => sum + one, 0);
    const end = turns() + count;
    await until(() => turns() >= end, 'the program goes on');
  }
}
