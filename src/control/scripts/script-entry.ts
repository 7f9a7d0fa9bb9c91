import { asTraceError, TraceError } from '../../base/errno.js';
import type { TracedThread } from '../../port/port.js';
import { type Compiled, ScriptRefusal } from '../../script/compiler.js';
import { EmitError, emitScript } from '../../script/emit/emit-script.js';
import type { ScriptProgram } from '../../script/program.js';
import type { OutputChunk } from '../../script/runtime/script-control.js';
import type { ScriptCode } from '../../script/script-code.js';
import type { FileOpener } from '../tracefs/node.js';
import { COMPILERS } from './compilers.js';
import type { ScriptStarter } from './control-context.js';
import { OutputQueue } from './output-queue.js';
import { type RunningNeeds, RunningScript } from './running-script.js';
import { type HeadedScript, headedScript, type Language } from './script-header.js';
import type { LostPlace } from './script-points.js';
import { ProcessTarget, type ScriptTargetNeeds } from './script-target.js';

/** What a script needs of the process. */
export interface ScriptNeeds extends RunningNeeds {
  readonly probeSource: ScriptTargetNeeds['probeSource'];
  /** Notes a refused script in error_log. */
  refused(language: Language, message: string, source: string): void;
}

/** Bytes that nobody has read, from which on output waits in the script's own memory, where more of it is lost and counted. */
const MOST_UNREAD = 8 << 20;

/** The command of each language, as its handlers on the control thread see their process. */
const COMMANDS: Readonly<Record<Language, string>> = { bpftrace: 'bpftrace', stap: 'stapio' };

const TOO_DEEP = 'ERROR: the functions of the script call each other in too long a row';

/** What compiles, or is refused. */
function attemptTo<T>(compile: () => T): T | ScriptRefusal {
  try {
    return compile();
  } catch (error) {
    if (error instanceof ScriptRefusal) return error;
    throw error;
  }
}

/** How far a script is, as `status` says. */
export type EntryState = 'empty' | 'compiling' | 'running' | 'ended' | 'failed';

/** A directory of scripts/: one script, what it has printed, and how far it is. */
export class ScriptEntry {
  /** What it has printed; and what is said of it, which the originals print on stderr. */
  readonly output = new OutputQueue();
  readonly messages = new OutputQueue();
  /** A command has begun it with the program: its reader will come. */
  isWithCommand = false;
  readonly #needs: ScriptNeeds;
  readonly #takeNumber: () => number;
  #source = '';
  #language: Language | undefined;
  #code: ScriptCode | undefined;
  #running: RunningScript | undefined;
  #state: EntryState = 'empty';
  #isRemoved = false;
  #isAsked = false;
  #isProgramOver = false;

  /** @param takeNumber a number that no other script ever has */
  constructor(needs: ScriptNeeds, takeNumber: () => number) {
    this.#needs = needs;
    this.#takeNumber = takeNumber;
  }

  /** Whether a reader has not read all yet, or the command that has begun it has not asked how it ended. */
  get isAwaited(): boolean {
    const all = [this.output, this.messages];
    if (this.isWithCommand && !this.#isAsked) return true;
    return all.some(({ isAwaited }) => isAwaited);
  }

  get source(): string {
    return this.#source;
  }

  /**
   * Compiles a script, and begins it.
   * @throws TraceError EBUSY while one runs; EINVAL for one that is refused: error_log and `messages` say why
   */
  async store(written: string, { pid }: FileOpener): Promise<void> {
    if (this.#state === 'running') throw new TraceError('EBUSY', 'the script runs: write exit to status first');
    if (this.#state === 'compiling') throw new TraceError('EBUSY', 'a script is being compiled');
    const script = headedScript(written);
    const { language } = script;
    this.#begin(written, language);
    const compiled = await this.#compile(script);
    if (this.#isRemoved) throw new TraceError('ENODEV', 'the script was removed');
    this.messages.put(compiled.warnings);
    if (compiled.kind === 'text') {
      this.output.put(compiled.text);
      this.#over('ended');
      return;
    }
    this.output.put(compiled.banner ?? '');
    this.#run(this.#emit(script, compiled.program), { pid: pid || process.pid, comm: COMMANDS[language] });
  }

  async #compile(script: HeadedScript): Promise<Compiled> {
    const target = new ProcessTarget(this.#needs);
    const compile = COMPILERS[script.language];
    try {
      let compiled = attemptTo(() => compile(script, target));
      if (await target.resolve()) compiled = attemptTo(() => compile(script, target));
      if (!(compiled instanceof ScriptRefusal)) return compiled;
      return this.#refuse(script, compiled.message);
    } catch (error) {
      // Functions that call each other in a long row: nothing counts the levels of that.
      if (error instanceof RangeError) this.#refuse(script, TOO_DEEP);
      this.#over('failed');
      throw error;
    }
  }

  #emit(script: HeadedScript, program: ScriptProgram): ScriptCode {
    try {
      return emitScript(program);
    } catch (error) {
      if (error instanceof EmitError) this.#refuse(script, error.message);
      this.#over('failed');
      throw error;
    }
  }

  /** Ends the script if it runs, with its `end` handlers. Resolves when no thread calls anything of it. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    await this.end();
    await this.#running?.quiet;
  }

  /** The program has ended. */
  programEnded(): Promise<void> {
    this.#isProgramOver = this.#state === 'running';
    return this.end();
  }

  /** Ends a script that stays. */
  async end(): Promise<void> {
    this.#running?.end();
    await this.#running?.ended;
  }

  /** Asks it to end. @throws TraceError EINVAL if none runs */
  exit(): void {
    if (this.#state !== 'running') throw new TraceError('EINVAL', 'no script runs');
    this.#running!.end();
  }

  addThread(thread: TracedThread): void {
    if (this.#state === 'running') this.#running?.addThread(thread);
  }

  removeThread(thread: TracedThread): void {
    if (this.#state === 'running') this.#running?.removeThread(thread);
  }

  /** Hits are not seen somewhere from now on. */
  lost(place: LostPlace, warning: string): void {
    if (this.#state === 'running') this.#running?.lost(place, warning);
  }

  /** The file `globals`. */
  globals(): string {
    return this.#running?.control.globals() ?? '';
  }

  /** The file `status`: a name and a value a line. */
  status(): string {
    this.#isAsked = this.#state === 'ended' || this.#state === 'failed';
    const lines: (readonly [name: string, value: string | number])[] = [['state', this.#state]];
    if (this.#language !== undefined) lines.push(['language', this.#language]);
    if (this.#isProgramOver) lines.push(['program', 'ended']);
    if (this.#running !== undefined) {
      const { hits, skipped, errors, lost } = this.#running.control.counts();
      lines.push(
        ['probes', hits.length],
        ['hits', hits.reduce((all, one) => all + one, 0)],
        ['skipped', skipped.lock + skipped.reentrant + skipped.maxactive],
        ['errors', errors],
        ['lost', lost],
      );
      for (const [i, { name }] of this.#code!.handlers.entries()) lines.push([`probe ${name}`, hits[i] ?? 0]);
    }
    return lines.map(([name, value]) => `${name} ${value}\n`).join('');
  }

  #begin(source: string, language: Language): void {
    this.#state = 'compiling';
    this.#source = source;
    this.#language = language;
    this.#running = undefined;
    this.#code = undefined;
    this.output.reset();
    this.messages.reset();
  }

  #refuse({ language, text }: HeadedScript, message: string): never {
    this.messages.put(message.endsWith('\n') ? message : `${message}\n`);
    this.#over('failed');
    this.#needs.refused(language, message, text);
    throw new TraceError('EINVAL', message);
  }

  #run(code: ScriptCode, starter: ScriptStarter): void {
    this.#code = code;
    const { output, messages } = this;
    const taker = {
      take: ({ stream, text }: OutputChunk) => (stream === 'out' ? output : messages).put(text),
      get isFull() {
        return output.bytes + messages.bytes > MOST_UNREAD;
      },
    };
    const running = new RunningScript(this.#needs, { number: this.#takeNumber(), code, starter }, taker);
    this.#running = running;
    this.#state = 'running';
    void running.ended.then(
      (hasFailed) => this.#over(hasFailed ? 'failed' : 'ended'),
      (error) => {
        messages.put(`${asTraceError(error).message}\n`);
        this.#over('failed');
      },
    );
  }

  #over(state: EntryState): void {
    this.#state = state;
    this.output.end();
    this.messages.end();
  }
}
