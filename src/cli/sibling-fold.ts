import { type GraphLine, graphLine } from './graph-line.js';
import type { LineFilter } from './line-sink.js';

/** A call with more lines is shown as it comes: leaving something out is not worth the wait. */
const MAX_LINES = 200;

/** An open call, or the thread itself, which contains all calls. */
class OpenCall {
  readonly indent: number;
  /** The call's lines so far; undefined once they were shown. */
  lines: string[] | undefined = [];
  /** The keys of its lines, without those of calls that were left out. */
  readonly keys: string[] = [];
  /** The call inside of it that was shown last, how often one like it followed, and their microseconds. */
  last = '';
  repeats = 0;
  time = 0;
  /** Where the calls inside of it stand. */
  inside = 0;
  readonly prefix: string;

  constructor(indent: number, prefix: string) {
    this.indent = indent;
    this.prefix = prefix;
  }
}

/**
 * Shows the first of calls that follow each other and are alike (the same functions called in the same order, repeats not
 * counted), and says how many more there were. A line that is not part of a graph ends the repetition.
 */
export class SiblingFold implements LineFilter {
  #open: OpenCall[] = [];
  #cpu = '';
  #shown: string[] = [];

  line(text: string): readonly string[] {
    const line = graphLine(text);
    if (line === undefined) this.#other(text);
    else this.#graph(line, text);
    return this.#takeShown();
  }

  end(): readonly string[] {
    this.#endAll();
    return this.#takeShown();
  }

  #takeShown(): readonly string[] {
    const shown = this.#shown;
    this.#shown = [];
    return shown;
  }

  #graph(line: GraphLine, text: string): void {
    if (line.cpu !== this.#cpu) this.#endAll();
    this.#cpu = line.cpu;
    // A call that should be closed is still open: a wait, or lost events.
    const inside = line.kind === 'close' ? line.indent : line.indent - 1;
    while (this.#open.length > 1 && this.#open.at(-1)!.indent > inside) this.#leave();
    if (this.#open.length === 0) this.#open.push(shownAlready(line));
    if (line.kind === 'close') this.#close(line, text);
    else {
      const call = new OpenCall(line.indent, line.prefix);
      this.#open.push(call);
      this.#add(call, text, line.key);
      if (line.kind === 'leaf') this.#complete(line.duration);
    }
  }

  #close(line: GraphLine, text: string): void {
    const call = this.#open.at(-1)!;
    if (this.#open.length === 1 || call.indent !== line.indent) {
      this.#other(text);
      return;
    }
    this.#endRepeats(call);
    this.#add(call, text, line.key);
    this.#complete(line.duration);
  }

  /** The call that is open has ended: it is shown, or counted as one more. */
  #complete(microseconds: number): void {
    const call = this.#open.pop()!;
    const around = this.#open.at(-1)!;
    const shape = call.lines === undefined ? '' : call.keys.join('\n');
    if (shape !== '' && shape === around.last) {
      around.repeats++;
      around.time += microseconds;
      return;
    }
    this.#endRepeats(around);
    around.last = shape;
    around.inside = call.indent;
    for (const line of call.lines ?? []) this.#add(around, line);
    if (call.lines !== undefined) around.keys.push(shape);
  }

  /** Leaves a call whose end was not seen. */
  #leave(): void {
    this.#show(this.#open.length - 1);
    this.#endRepeats(this.#open.at(-1)!);
    this.#open.pop();
    this.#open.at(-1)!.last = '';
  }

  #other(text: string): void {
    const call = this.#open.at(-1);
    if (call === undefined) {
      this.#shown.push(text);
      return;
    }
    this.#show(this.#open.length - 1);
    this.#endRepeats(call);
    call.last = '';
    this.#shown.push(text);
  }

  #endAll(): void {
    while (this.#open.length > 1) this.#leave();
    const [thread] = this.#open;
    if (thread !== undefined) this.#endRepeats(thread);
    this.#open = [];
  }

  /** Prints how many calls were left out after the last one. */
  #endRepeats(call: OpenCall): void {
    if (call.repeats > 0) this.#add(call, repeatsLine(call));
    call.repeats = 0;
    call.time = 0;
  }

  /** Adds a line to a call, or shows it where the call's lines are shown. */
  #add(call: OpenCall, text: string, key?: string): void {
    if (key !== undefined) call.keys.push(key);
    if (call.lines === undefined) this.#shown.push(text);
    else if (call.lines.push(text) > MAX_LINES) this.#show(this.#open.indexOf(call));
  }

  /** Shows the lines of the calls up to one of them: they are not alike to any before them. */
  #show(index: number): void {
    for (const [at, call] of this.#open.slice(0, index + 1).entries()) {
      if (call.lines === undefined) continue;
      if (at > 0) this.#endRepeats(this.#open[at - 1]!);
      this.#shown.push(...call.lines);
      call.lines = undefined;
    }
  }
}

/** What holds the calls of a thread. */
function shownAlready({ prefix }: GraphLine): OpenCall {
  const thread = new OpenCall(-2, prefix);
  thread.lines = undefined;
  return thread;
}

function repeatsLine({ prefix, inside, repeats, time }: OpenCall): string {
  const blanks = ' '.repeat(Math.max(0, prefix.length - 3));
  const unit = time >= 1000 ? `${(time / 1000).toFixed(3)} ms` : `${time.toFixed(3)} us`;
  return `${blanks}|  ${' '.repeat(inside)}... ${repeats} more like it, ${unit}`;
}
