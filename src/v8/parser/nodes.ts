/** The nodes: see kinds.ts for their form. A node is the address of its first word. */
import { Flag, Word } from './kinds';
import { ensure } from './memory';
import { lastEnd } from './tokens';

const WORD: i32 = 4;
/** The memory grows by so much, and by an eighth of what is in use: V8 takes long for each time. */
const STEP: i32 = 1 << 18;

let top: i32 = 0;
let limit: i32 = 0;

/** Where the last of the nodes begins in the source that decide a site, or have one. */
let lastMarked: i32 = 0;

export function beginNodes(at: i32): void {
  top = (at + 7) & ~7;
  limit = memory.size() << 16;
  lastMarked = 0;
}

/** Where the next node will be. */
export function mark(): i32 {
  return top;
}

/** Forgets the nodes that were made since a mark. */
export function forget(since: i32): void {
  top = since;
}

/** Says of a place that a node begins there which has a site or decides one. */
export function matters(at: i32): void {
  if (at > lastMarked) lastMarked = at;
}

/** Whether nothing since this place matters. */
export function isPlainSince(at: i32): bool {
  return lastMarked < at;
}

/** A node that begins at a place, and ends where the last token did. */
export function node(type: i32, start: i32, fields: i32): i32 {
  return nodeTo(type, start, lastEnd, fields);
}

/** A node with its start and end. */
export function nodeTo(type: i32, start: i32, end: i32, fields: i32): i32 {
  const at = top;
  top += (Word.Fields + fields) * WORD;
  if (top > limit) {
    ensure(top + STEP + (top >> 3));
    limit = memory.size() << 16;
  }
  store<i32>(at, lastMarked < start ? type | Flag.Plain : type);
  store<i32>(at, start, Word.Start * WORD);
  store<i32>(at, end, Word.End * WORD);
  store<i32>(at, 0, Word.Next * WORD);
  return at;
}

export function typeOf(at: i32): i32 {
  return load<u8>(at);
}

export function setType(at: i32, type: i32): void {
  store<u8>(at, type);
}

export function startOf(at: i32): i32 {
  return load<i32>(at, Word.Start * WORD);
}

export function endOf(at: i32): i32 {
  return load<i32>(at, Word.End * WORD);
}

export function has(at: i32, flag: i32): bool {
  return (load<i32>(at) & flag) !== 0;
}

export function flag(at: i32, flags: i32): void {
  store<i32>(at, load<i32>(at) | flags);
}

export function unflag(at: i32, flags: i32): void {
  store<i32>(at, load<i32>(at) & ~flags);
}

export function detailOf(at: i32): i32 {
  return load<u8>(at, 3);
}

export function setDetail(at: i32, detail: i32): void {
  store<u8>(at, detail, 3);
}

export function field(at: i32, index: i32): i32 {
  return load<i32>(at + index * WORD, Word.Fields * WORD);
}

export function set(at: i32, index: i32, value: i32): void {
  store<i32>(at + index * WORD, value, Word.Fields * WORD);
}

/** The node behind a node in its list; 0 for none. */
export function following(at: i32): i32 {
  return load<i32>(at, Word.Next * WORD);
}

export function setFollowing(at: i32, next: i32): void {
  store<i32>(at, next, Word.Next * WORD);
}
