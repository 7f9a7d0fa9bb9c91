import { attempt } from '../../base/attempt.js';
import { prefixOf, restore } from '../text/index.js';
import { calledAt, endOf } from './called-at.js';
import type { FoundFrame } from './stack-frames.js';
import type { HeapFunction, V8Heap } from './v8-heap.js';
import type { V8Layout } from './v8-layout.js';
import type { Words } from './words.js';

const WORD = 8;
const UNAVAILABLE = '(unavailable)';
/** A list of parameters that has nothing but names, or the one of an arrow. */
const PARAMETERS = /^\(([\p{L}\p{N}_$,\s]*)\)|^([\p{L}\p{N}_$]+)\s*=>/u;

/** A call on the stack of a thread that cannot be asked. */
export interface BlockedCall {
  /** '' for a function without a name. */
  readonly name: string;
  /** The name of the text; '' for a built-in function. */
  readonly url: string;
  /** From 1; 0 if it is not known, as in Node's own modules. */
  readonly line: number;
  readonly column: number;
  /** Whether the place is where the function begins: where it is, is not known. */
  readonly isBeginning: boolean;
  /** The values of its parameters; undefined: not known, or the list has more than names. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[] | undefined;
}

/** Memory in which V8 has what is to be described. */
export interface DescribedMemory {
  readonly words: Words;
  readonly layout: V8Layout;
  readonly heap: V8Heap;
}

/** Describes calls of JavaScript by what V8's heap has of their functions. @param frames innermost first */
export function describedCalls(frames: readonly FoundFrame[], { words, layout, heap }: DescribedMemory): readonly BlockedCall[] {
  const functions = frames.map((frame) => heap.function(frame.function));
  const first = layout.value('off_fp_args') + WORD;
  const places = new Map<string, PlacedCall>();
  return functions.map((one, i) => ({
    ...placeOf(one, functions[i - 1], places),
    parameters: namesOf(one)?.map((name, at) => {
      const value = attempt(() => heap.valueText(words.word(frames[i]!.frame + first + at * WORD)));
      return { name, value: value ?? UNAVAILABLE };
    }),
  }));
}

type PlacedCall = Omit<BlockedCall, 'parameters'>;

/** @param called the function that it has called @param known places of such calls: a recursion has many */
function placeOf(found: HeapFunction | undefined, called: HeapFunction | undefined, known: Map<string, PlacedCall>): PlacedCall {
  const { name = '', url = '', text, range } = found ?? {};
  if (text === undefined || range === undefined) return { name, url, line: 0, column: 0, isBeginning: false };
  const key = JSON.stringify([url, range, called?.name]);
  const same = known.get(key);
  if (same !== undefined) return same;
  const at = called && calledAt(text, range, called.name);
  const before = text.slice(0, at ?? range[0]);
  const place = endOf(prefixOf(text) === undefined ? before : restore(before));
  const placed = { name, url, ...place, isBeginning: at === undefined };
  known.set(key, placed);
  return placed;
}

/** The names of the parameters of a function whose list has nothing but names. */
function namesOf(found: HeapFunction | undefined): readonly string[] | undefined {
  if (found?.text === undefined || found.range === undefined) return undefined;
  const [, list, single] = PARAMETERS.exec(found.text.slice(...found.range)) ?? [];
  if (single !== undefined) return [single];
  return list
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
