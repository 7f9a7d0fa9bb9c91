import { fullName } from '../answers/place-text.js';
import { NONE } from './call-row.js';
import { type ComparedFunction, compareFunctions, type RecordingComparison } from './compare.js';
import { type MeasuredTimelineFunction, measureTimeline } from './measure-timeline.js';
import { MergedStacks, type STACK_ORDERS, type StackNode, type StackOrder } from './stacks.js';
import type { TimelineRecording } from './timeline-recording.js';

/** The two recordings of a comparison. */
export type RecordingSide = 'before' | 'after';

/** What a stack takes in one recording. Times are ns. */
export type StackSums = Pick<StackNode, 'total' | 'self' | 'count'>;

/**
 * A stack of two recordings: `func` is a number of the comparison; times and calls are those of both together, so that a stack
 * that is gone is seen as well as a new one.
 */
export interface ComparedNode extends StackNode {
  readonly before: StackSums;
  readonly after: StackSums;
  readonly children: readonly ComparedNode[];
}

const NOTHING: StackSums = { total: 0, self: 0, count: 0 };

/** Two recordings in memory, compared by function and by stack. A function is known by its index in `functions`. */
export class ComparedTimelines {
  readonly #recordings: Readonly<Record<RecordingSide, TimelineRecording>>;
  readonly #comparison: RecordingComparison<MeasuredTimelineFunction>;
  readonly #indexes: Readonly<Record<RecordingSide, Int32Array>>;
  #stacks: Readonly<Record<RecordingSide, MergedStacks>> | undefined;

  constructor(before: TimelineRecording, after: TimelineRecording) {
    this.#recordings = { before, after };
    this.#comparison = compareFunctions(measureTimeline(before), measureTimeline(after));
    const indexesOf = (side: RecordingSide): Int32Array => {
      const indexes = new Int32Array(this.#recordings[side].functions.length);
      for (const [index, one] of this.functions.entries()) if (one[side] !== undefined) indexes[one[side].func] = index;
      return indexes;
    };
    this.#indexes = { before: indexesOf('before'), after: indexesOf('after') };
  }

  get answer(): RecordingComparison<MeasuredTimelineFunction>['answer'] {
    return this.#comparison.answer;
  }

  get functions(): readonly ComparedFunction<MeasuredTimelineFunction>[] {
    return this.#comparison.functions;
  }

  /** The index of a function of a recording. */
  indexOf(side: RecordingSide, func: number): number {
    return this.#indexes[side][func] ?? NONE;
  }

  /** The function of an index in a recording; undefined if that does not have it. */
  functionOf(index: number, side: RecordingSide): number | undefined {
    return this.functions[index]?.[side]?.func;
  }

  nameOf(index: number): string {
    const { before, after } = this.functions[index] ?? {};
    return fullName(after ?? before ?? { name: '' });
  }

  /** The union of the stacks of both. A node's children are made when they are asked for. */
  root(order: StackOrder): ComparedNode {
    this.#stacks ??= { before: stacksOf(this.#recordings.before), after: stacksOf(this.#recordings.after) };
    const { before, after } = this.#stacks;
    return this.#node(
      NONE,
      before.root('time', String),
      after.root('time', String),
      sorterOf(order, (func) => this.nameOf(func)),
    );
  }

  #node(func: number, before: StackNode | undefined, after: StackNode | undefined, sorter: Sorter): ComparedNode {
    const [old, now] = [before ?? NOTHING, after ?? NOTHING];
    const make = (): readonly ComparedNode[] => {
      const found = new Map<number, { before?: StackNode; after?: StackNode }>();
      for (const side of ['after', 'before'] as const) {
        for (const child of (side === 'after' ? after : before)?.children ?? []) {
          const index = this.indexOf(side, child.func);
          const known = found.get(index);
          if (known === undefined) found.set(index, { [side]: child });
          else known[side] = child;
        }
      }
      const nodes = Array.from(found, ([index, one]) => this.#node(index, one.before, one.after, sorter));
      return sorter === undefined ? nodes : nodes.sort(sorter);
    };
    let children: readonly ComparedNode[] | undefined;
    return {
      func,
      total: old.total + now.total,
      self: old.self + now.self,
      count: old.count + now.count,
      before: old,
      after: now,
      get children() {
        return (children ??= make());
      },
    };
  }
}

type Sorter = ((a: ComparedNode, b: ComparedNode) => number) | undefined;

/** `time` is the order in the second recording; what is gone stands behind. */
function sorterOf(order: (typeof STACK_ORDERS)[number], nameOf: (func: number) => string): Sorter {
  if (order === 'time') return undefined;
  if (order === 'heavy') return (a, b) => b.total - a.total;
  return (a, b) => (nameOf(a.func) < nameOf(b.func) ? -1 : 1);
}

const stacksOf = (recording: TimelineRecording): MergedStacks =>
  new MergedStacks(recording, { from: recording.from, to: recording.to });
