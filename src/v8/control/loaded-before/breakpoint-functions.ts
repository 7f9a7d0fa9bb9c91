import type { BreakpointFunction } from '../../breakpoints/breakpoint-text.js';
import { isCoroutine, type JsFunction, type NoSiteReason } from '../../js-text.js';
import { Piece } from '../../text/edit-form.js';
import { EditReader, type Edits } from '../../text/edits.js';
import { LineStarts } from '../../text/line-starts.js';

const BLANK = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
/** A loop whose every turn passes its first place for a breakpoint. A `for` with an initializer passes it once. */
const LOOP = /(?:[\w$]+\s*:\s*)*(?:while\b|do\b|for\s*\(\s*;)/y;

/** Whether the statement at an offset of a source is such a loop. */
export function beginsWithLoop(source: string, offset: number): boolean {
  BLANK.lastIndex = offset;
  BLANK.test(source);
  LOOP.lastIndex = BLANK.lastIndex;
  return LOOP.test(source);
}

/** The functions of a text, with the places of their breakpoints. */
export interface BreakpointFunctions {
  /** Functions of the text. Those that a breakpoint cannot reach have a reason. */
  readonly functions: readonly JsFunction[];
  /** Undefined for those. */
  readonly places: readonly (BreakpointFunction | undefined)[];
}

/** Finds the places where the functions of a source would have sites, and so their breakpoints. Pure. */
export function breakpointFunctions(source: string, described: readonly JsFunction[], edits: Edits): BreakpointFunctions {
  const entries = entryOffsets(edits);
  const lines = new LineStarts(source);
  const functions = described.map((one, index): JsFunction => {
    const entry = entries.get(index);
    const reason = one.reason ?? (entry === undefined ? undefined : unreachable(source, described, index, entry));
    return reason === undefined ? one : { ...one, reason };
  });
  const places = functions.map((one, index) => {
    const entry = entries.get(index);
    if (one.reason !== undefined || entry === undefined) return undefined;
    return {
      // The unit before the body's first one belongs to the outer function, even if its first statement is another function.
      start: lines.place(entry - 1),
      end: lines.place(one.end),
      inner: innerFunctions(functions, index).map(({ start, end }) => ({ start: lines.place(start), end: lines.place(end) })),
      passes: [one.hasThis ? 'this' : 'void 0', ...one.params].join(','),
      isCoroutine: isCoroutine(one.kind),
    };
  });
  return { functions, places };
}

function entryOffsets(edits: Edits): ReadonlyMap<number, number> {
  const reader = new EditReader(edits);
  const offsets = new Map<number, number>();
  while (reader.next()) if (reader.piece === Piece.Entry) offsets.set(reader.functionIndex, reader.offset);
  return offsets;
}

/** The reason why a breakpoint at a function's entry would not be hit exactly once for each call, if there is one. */
function unreachable(source: string, functions: readonly JsFunction[], index: number, entry: number): NoSiteReason | undefined {
  if (beginsWithLoop(source, entry)) return 'loop';
  // An arrow whose whole body is a function has no own place.
  const { end } = functions[index]!;
  const [first] = innerFunctions(functions, index);
  return first !== undefined && first.start === entry && first.end === end ? 'curried' : undefined;
}

/** The functions directly inside a function. */
function innerFunctions(functions: readonly JsFunction[], index: number): readonly JsFunction[] {
  const outer = functions[index]!;
  const inner: JsFunction[] = [];
  for (let i = index + 1; i < functions.length && functions[i]!.start < outer.end; i++) {
    const one = functions[i]!;
    if (one.start >= (inner.at(-1)?.end ?? 0)) inner.push(one);
  }
  return inner;
}
