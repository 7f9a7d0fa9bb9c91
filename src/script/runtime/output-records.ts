import { BufferPrototypeUcs2Slice, StringPrototypeSlice as slice, uncurryThis } from '../../base/primordials.js';
import { highWord, lowWord } from '../../base/words.js';
import type { Long } from '../../events/c-types.js';
import { ofWords } from '../../events/hist/long.js';
import type { RingBufferWriter } from '../../ring-buffer/index.js';
import type { ScriptCode } from '../script-code.js';
import { putText } from './cells.js';
import { formatText } from './format-text.js';

/**
 * Records of a script's output: the number of a format and its arguments, or a text. In words; an argument has first what it
 * is.
 */

const ucs2Slice = uncurryThis(BufferPrototypeUcs2Slice);

/** In the place of a format's number: the text goes to this stream. */
const TEXT = { out: 0xffffffff, error: 0xfffffffe } as const;
/** In the same place: what is done with a whole map. */
const ACTION = 0xfffffffd;
const ACTIONS = ['print', 'clear', 'zero'] as const;
export type LaterAction = (typeof ACTIONS)[number];
export interface MapAction {
  readonly what: LaterAction;
  readonly id: number;
  readonly top: number;
  readonly div: number;
}
export type Stream = keyof typeof TEXT;

/** What stands before an argument. */
const ARGUMENT = { LONG: 0, TEXT: 1 } as const;

/** Words of a record that surely find room in a page. */
export const MOST_WORDS = 900;
/** Units of a text in one record. */
const MOST_UNITS = 1000;
/** Bytes of a writer's ring. */
export const RING_BYTES = 512 * 1024;

/** Words of an argument behind the word that says what it is. */
export const roomOf = (value: Long | string): number => (typeof value === 'string' ? 2 + ((value.length + 1) >> 1) : 3);

/** Words of a long. */
export const LONG_ROOM = 3;

export function putArgument(words: Int32Array | Uint32Array, at: number, value: Long | string): number {
  if (typeof value === 'string') {
    words[at] = ARGUMENT.TEXT;
    return at + 1 + putText(words, at + 1, value);
  }
  words[at] = ARGUMENT.LONG;
  words[at + 1] = lowWord(value);
  words[at + 2] = highWord(value);
  return at + 3;
}

/** Writes a text, in as many records as it takes. @returns whether all found room */
export function writeText(ring: RingBufferWriter, stream: Stream, text: string, ts: number): boolean {
  for (let from = 0; from < text.length; from += MOST_UNITS) {
    const part = from === 0 && text.length <= MOST_UNITS ? text : slice(text, from, from + MOST_UNITS);
    const at = ring.reserve(4 * (2 + ((part.length + 1) >> 1)), ts);
    if (at < 0) return false;
    ring.u32[at] = TEXT[stream];
    putText(ring.u32, at + 1, part);
    ring.commit();
  }
  return true;
}

const codeOf: Readonly<Record<LaterAction, number>> = { print: 0, clear: 1, zero: 2 };

export function writeAction(ring: RingBufferWriter, { what, id, top, div }: MapAction, ts: number): boolean {
  const at = ring.reserve(20, ts);
  if (at < 0) return false;
  const words = ring.u32;
  words[at] = ACTION;
  words[at + 1] = codeOf[what];
  words[at + 2] = id;
  words[at + 3] = top;
  words[at + 4] = div;
  ring.commit();
  return true;
}

/** The text of a record; or what is done in its place, which gives a text. */
export function readRecord(
  bytes: Uint8Array,
  payload: number,
  code: ScriptCode,
  act: (action: MapAction) => string,
): { readonly stream: Stream; readonly text: string } {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  let at = payload >> 2;
  const textAt = (place: number): string => {
    const length = words[place]!;
    return length === 0 ? '' : ucs2Slice(bytes, (place + 1) << 2, ((place + 1) << 2) + 2 * length);
  };
  const number = words[at++]! >>> 0;
  if (number === TEXT.out) return { stream: 'out', text: textAt(at) };
  if (number === TEXT.error) return { stream: 'error', text: textAt(at) };
  if (number === ACTION) {
    const [what, id, top, div] = words.subarray(at, at + 4);
    return { stream: 'out', text: act({ what: ACTIONS[what!]!, id: id!, top: top!, div: div! }) };
  }
  const format = code.formats[number]!;
  const count = argumentsOf(format);
  const args: (Long | string)[] = [];
  for (let i = 0; i < count; i++) {
    if (words[at] === ARGUMENT.LONG) {
      args.push(ofWords(words[at + 2]!, words[at + 1]!));
      at += 3;
    } else {
      args.push(textAt(at + 1));
      at += 2 + ((words[at + 1]! + 1) >> 1);
    }
  }
  return { stream: 'out', text: formatText(format, args, code.language) };
}

/** How many arguments a format takes. */
const argumentsOf = (format: ScriptCode['formats'][number]): number =>
  format.reduce(
    (sum, part) => sum + (typeof part === 'string' ? 0 : 1 + (part.width === '*' ? 1 : 0) + (part.precision === '*' ? 1 : 0)),
    0,
  );
