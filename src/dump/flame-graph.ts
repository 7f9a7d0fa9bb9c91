import { StackTree } from '../base/stack-tree.js';
import { type StoredText, storedText } from '../output/stored-text.js';
import type { Call, CallVisitor, Leave, VisitedCall } from '../output/trace-dat/calls/call-visitor.js';
import type { ReportSink } from '../output/trace-dat/index.js';
import { TraceSeq } from '../output/trace-seq.js';
import type { Dump } from './dumped-recording.js';

/** Bytes of lines that are collected before they go to the sink. */
const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const SEMICOLON = 0x3b;

/**
 * The most frames of a stack. Each line has a whole stack, so the output for a recursion would grow with the square of its
 * depth.
 */
const MAX_FRAMES = 512;

/**
 * The time of each different stack, for flame graphs: flamegraph.pl, speedscope and others read its lines. A stack begins with
 * the process's name. Time deeper than 512 frames counts as that of the last frame. Memory grows with the number of different
 * stacks.
 */
class FlameGraph implements CallVisitor<number> {
  readonly #stacks = new StackTree();
  /** The nodes of processes by their names. */
  readonly #roots = new Map<string, number>();
  /** By the functions' indices. */
  readonly #names: StoredText[] = [];

  begin({ func, funcIndex, track }: Call, parent: VisitedCall<number> | undefined): number {
    const below = parent?.place ?? this.#root(track.process.name);
    if (this.#stacks.depth(below) >= MAX_FRAMES) return below;
    this.#names[funcIndex] ??= storedText(frameOf(func.where === '' ? func.name : `${func.name} (${func.where})`));
    return this.#stacks.above(below, funcIndex);
  }

  end({ place }: VisitedCall<number>, { self, hidden = 0 }: Leave): void {
    this.#stacks.addTime(place, self + hidden);
  }

  /** Prints lines like `node;handle;find 1234`: the nanoseconds that a stack was on top. */
  print(sink: ReportSink): void {
    const stacks = this.#stacks;
    const names = this.#names;
    const path = new TraceSeq();
    const out = new TraceSeq(2 * CHUNK_BYTES);
    /** By depth: the bytes of the path up to there. */
    const ends = new Uint32Array(MAX_FRAMES + 1);
    for (const [process, root] of [...this.#roots].reverse()) {
      path.length = 0;
      path.text(frameOf(process));
      ends[0] = path.length;
      // Not by over(): there may be a million stacks, and a generator takes its time for each.
      for (let node = stacks.newest(root); node >= 0; node = stacks.after(node, root)) {
        const depth = stacks.depth(node);
        path.length = ends[depth - 1]!;
        path.byte(SEMICOLON);
        path.put(names[stacks.key(node)]!);
        ends[depth] = path.length;
        const time = stacks.time(node);
        if (time <= 0) continue;
        out.putLine(path);
        out.byte(SPACE);
        out.decimal(Math.round(time));
        out.byte(NEWLINE);
        if (out.length < CHUNK_BYTES) continue;
        if (!sink.write(out.bytes.subarray(0, out.length))) return;
        out.length = 0;
      }
    }
    if (out.length > 0) sink.write(out.bytes.subarray(0, out.length));
  }

  #root(process: string): number {
    let root = this.#roots.get(process);
    if (root === undefined) {
      root = this.#stacks.addRoot(this.#roots.size);
      this.#roots.set(process, root);
    }
    return root;
  }
}

/** Semicolons separate the frames, and the last blank separates the count. */
const frameOf = (name: string): string => name.replaceAll(';', ',');

/** `--flame-graph`. */
export const dump: Dump = (recording, output) => {
  const graph = new FlameGraph();
  const { warnings } = recording.walk(graph);
  graph.print(output);
  return warnings;
};
