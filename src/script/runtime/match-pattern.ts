import { StringPrototypeCharCodeAt as codeAt, StringPrototypeSlice as slice } from '../../base/primordials.js';
import { type PosixPattern, STEP } from '../posix-pattern.js';

// The room of a pattern has, for S steps and B borders: the borders of the match (B), those of the way that is followed (B), at
// which place each step was reached last (S), a stack of what is still to be followed (3 S), and twice, for this character and
// for the next one, the steps that wait (S) with their borders (B for each).

/** Follows a way to the steps that wait for a character. @returns how many wait in the list then */
function follow(pattern: PosixPattern, from: number, at: number, isEnd: boolean, list: number, waiting: number): number {
  const { steps, count, borders, room } = pattern;
  const seen = 2 * borders;
  const stack = seen + count;
  let depth = 0;
  let all = waiting;
  room[stack + depth++] = from;
  while (depth > 0) {
    const top = room[stack + --depth]!;
    if (top < 0) {
      // A border is what it was before the way went over it.
      room[borders - top - 1] = room[stack + --depth]!;
      continue;
    }
    for (let step = top; room[seen + step] !== at; ) {
      room[seen + step] = at;
      const what = steps[3 * step]!;
      const a = steps[3 * step + 1]!;
      if (what === STEP.JUMP) step = a;
      else if (what === STEP.FORK) {
        room[stack + depth++] = steps[3 * step + 2]!;
        step = a;
      } else if (what === STEP.BORDER) {
        room[stack + depth++] = room[borders + a]!;
        room[stack + depth++] = -a - 1;
        room[borders + a] = at;
        step++;
      } else if (what === STEP.BEGIN) {
        if (at !== 0) break;
        step++;
      } else if (what === STEP.END) {
        if (!isEnd) break;
        step++;
      } else {
        room[list + all] = step;
        const kept = list + count + all * borders;
        for (let i = 0; i < borders; i++) room[kept + i] = room[borders + i]!;
        all++;
        break;
      }
    }
  }
  return all;
}

function isIn(set: Int32Array, length: number, code: number): boolean {
  for (let i = 0; i < length; i += 2) if (code >= set[i]! && code <= set[i + 1]!) return true;
  return false;
}

/**
 * Looks for the first match of a pattern: follows all ways through its steps at once, the preferred ones first, so that no text
 * costs more than its length times the steps. A RegExp would try one way after the other, and change the program's RegExp.$1.
 * @returns whether there is one: its borders are the first numbers of the pattern's room, -1 for a group that took no part
 */
export function matchPattern(pattern: PosixPattern, text: string): boolean {
  const { steps, count, sets, setLengths, borders, room } = pattern;
  const seen = 2 * borders;
  const lists = seen + 4 * count;
  const size = count * (1 + borders);
  const { length } = text;
  let now = lists;
  let next = lists + size;
  let waiting = 0;
  let isFound = false;
  for (let i = 0; i < count; i++) room[seen + i] = -1;
  for (let at = 0; at <= length; at++) {
    if (!isFound) {
      for (let i = 0; i < borders; i++) room[borders + i] = -1;
      room[borders] = at;
      waiting = follow(pattern, 0, at, at === length, now, waiting);
    } else if (waiting === 0) return true;
    const code = at < length ? codeAt(text, at) : -1;
    let more = 0;
    for (let i = 0; i < waiting; i++) {
      const step = room[now + i]!;
      const kept = now + count + i * borders;
      if (steps[3 * step] === STEP.FOUND) {
        for (let border = 0; border < borders; border++) room[border] = room[kept + border]!;
        room[1] = at;
        isFound = true;
        break;
      }
      const set = steps[3 * step + 1]!;
      if (code < 0 || !isIn(sets[set]!, setLengths[set]!, code)) continue;
      for (let border = 0; border < borders; border++) room[borders + border] = room[kept + border]!;
      more = follow(pattern, step + 1, at + 1, at + 1 === length, next, more);
    }
    waiting = more;
    const other = now;
    now = next;
    next = other;
  }
  return isFound;
}

/** A group of the last match of a pattern: "" for one that took no part, or is not there. */
export function matchedGroup({ borders, room }: PosixPattern, text: string, group: number): string {
  if (group < 0 || 2 * group >= borders) return '';
  const from = room[2 * group]!;
  return from < 0 ? '' : slice(text, from, room[2 * group + 1]!);
}
