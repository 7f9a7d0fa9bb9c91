import vm from 'node:vm';
import { classTest, type Instrumented, instrument } from '../../instrument/index.js';
import type { JsFunction } from '../../js-text.js';
import { positionsOf } from '../../loader/text-positions.js';
import { Texts } from '../../realm/texts.js';
import { assemble, choosePrefix } from '../../text/index.js';
import { ProbeBreakpoints } from '../probe-breakpoints.js';

const BASE = 0x81000000;
let files = 0;

/** A text that was loaded with sites, and the breakpoints of its thread. */
export class LoadedText {
  readonly source: string;
  readonly functions: readonly JsFunction[];
  readonly breakpoints: ProbeBreakpoints;
  /** The functions in the order of their numbers. */
  readonly #script: string;
  readonly #file = `/app/probed-${++files}.js`;
  /** Milliseconds. */
  now = 0;

  /** @param source a script */
  constructor(
    source: string,
    { isInstrumented = true, limits = { share: 0, burst: Number.POSITIVE_INFINITY }, areClassesUnreadable = false } = {},
  ) {
    const { functions, edits } = instrument(source, 'script') as Instrumented;
    const prefix = choosePrefix(source);
    const texts = new Texts('file:///fentry/');
    this.source = source;
    this.functions = functions;
    this.#script = isInstrumented ? assemble(source, edits, prefix, 1) : source;
    const positions = { length: source.length, firstFunction: 1, base: BASE };
    if (isInstrumented) texts.add(this.#file, positionsOf(positions, edits, prefix));
    else texts.add(this.#file, positionsOf(positions, { functions: 0, bytes: new Uint8Array(0) }, prefix));
    this.breakpoints = new ProbeBreakpoints({
      texts,
      addressOfForeign: () => 0,
      unreadable: areClassesUnreadable ? classTest : () => () => false,
      global: globalThis,
      clock: () => this.now,
      limits,
      most: 1000,
    });
  }

  /** Runs the script; returns its last value. */
  // biome-ignore lint/suspicious/noExplicitAny: the scripts of tests
  run(): any {
    return new vm.Script(this.#script, { filename: this.#file }).runInThisContext();
  }

  /** The function with this name, as breakpoints know it. */
  function(name: string) {
    const index = this.functions.findIndex((one) => one.name === name);
    const { start, kind } = this.functions[index]!;
    return { n: index + 1, address: BASE + start, kind };
  }

  /** The offset of the first such text in a function. */
  offset(name: string, text: string): number {
    const { start } = this.functions.find((one) => one.name === name)!;
    return this.source.indexOf(text, start) - start;
  }

  /** The function's text with a bar at each place where V8 can stop. */
  marked(name: string): string {
    const index = this.functions.findIndex((one) => one.name === name);
    const { start, end } = this.functions[index]!;
    const inner = this.functions.slice(index + 1).filter((one) => one.start < end);
    const places = this.breakpoints.places(this.function(name), rangesOf({ start, end }, inner)) ?? [];
    let text = this.source.slice(start, end);
    for (const { offset } of [...places].reverse()) text = `${text.slice(0, offset)}|${text.slice(offset)}`;
    return text;
  }

  /** Sets a probe before `text` in a function; the names' values are pushed to `hits` as they are shown. */
  probe(name: string, text: string, expressions: readonly string[], hits: unknown[]) {
    return this.breakpoints.set({
      ...this.function(name),
      ranges: [[this.offset(name, text), this.offset(name, text) + 1]],
      expressions,
      hit: (values) => hits.push(values.map(shown)),
      ended: (why) => hits.push(why),
    });
  }
}

function shown(value: () => unknown): unknown {
  try {
    return value();
  } catch {
    return '(fault)';
  }
}

function rangesOf({ start, end }: { start: number; end: number }, inner: readonly JsFunction[]): [number, number][] {
  const ranges: [number, number][] = [];
  let from = start + 1;
  for (const one of inner) {
    if (one.start < from - 1) continue;
    ranges.push([from - start, one.start + 1 - start]);
    from = one.end;
  }
  return [...ranges, [from - start, end - start]];
}
