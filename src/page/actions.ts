import { lastAtOrBefore } from '../base/last-at-or-before.js';
import { callAround } from '../timeline/call-around.js';
import { NONE } from '../timeline/call-row.js';
import type { ContextGroup, Grouping } from '../timeline/context-groups.js';
import { longestCalls, TABLE_ORDERS } from '../timeline/function-table.js';
import { type Hit, isNothing, nextHit, search } from '../timeline/search.js';
import { STACK_ORDERS, type TimeRange } from '../timeline/stacks.js';
import { nearestCall } from '../timeline/visible-calls.js';
import { describe, functionOf, rangeOf } from './choices.js';
import { chosenChange, comparison } from './compared.js';
import { moveInFlame, widen, widest } from './flame-choice.js';
import { contextGroups, flowOf, groupings, groupOf, groupWords } from './groups.js';
import type { ActionId } from './keys.js';
import { lossRanges } from './loss-ranges.js';
import { moveFocus } from './move-focus.js';
import { sendToPerfetto } from './perfetto.js';
import {
  both,
  CHANGE_ORDERS,
  type Chosen,
  changeOrder,
  chosen,
  chosenElsewhere,
  chosenFunction,
  dataSource,
  flameOrder,
  found,
  functionName,
  grouping,
  isHelpOpen,
  message,
  query,
  recording,
  revision,
  selectedRange,
  shownRange,
  side,
  sourcePlace,
  tableOrder,
  toggledGroups,
  view,
  visibleRange,
  wholeRange,
} from './state.js';
import { timeText } from './time-text.js';
import { shownGroups, trackKey } from './timeline-layout.js';
import { timelineScroll } from './timeline-scroll.js';
import { VIEWS, VIEWS_OF_TWO, type ViewId } from './views.js';

/** How much a key zooms, and which part of the shown time it moves. */
const ZOOM = 0.6;
const MOVE = 0.2;
/** The shortest time that is shown, ns. */
const SHORTEST = 20;
/** Room around what is shown alone. */
const AROUND = 0.1;

/** What is said at once of a thing that was chosen; the panel has the rest. */
const SAID: readonly string[] = ['at', 'time', 'defined at', 'event'];

/** Said where two recordings are needed. */
const ONE_RECORDING = 'this is one recording: fentry open BEFORE AFTER compares two';

/** Shows a view. */
export function showView(id: ViewId): void {
  if (VIEWS_OF_TWO.has(id) && both.value === undefined) {
    message.value = ONE_RECORDING;
    return;
  }
  view.value = id;
  message.value = VIEWS.find((one) => one.id === id)!.title;
}

/** Shows a part of the time, as far as the recording has it. */
export function showRange({ from, to }: TimeRange): void {
  const whole = wholeRange.value;
  const length = Math.min(Math.max(to - from, SHORTEST), whole.to - whole.from);
  const start = Math.min(Math.max(from - (length - (to - from)) / 2, whole.from), whole.to - length);
  shownRange.value = length >= whole.to - whole.from ? undefined : { from: start, to: start + length };
}

/** Zooms; the time at a part of the width stays where it is. */
export function zoom(factor: number, part = 0.5): void {
  const { from, to } = visibleRange.value;
  const length = Math.min((to - from) * factor, wholeRange.value.to - wholeRange.value.from);
  const start = from + (to - from - length) * part;
  showRange({ from: start, to: start + Math.max(length, SHORTEST) });
}

/** Moves by a part of the shown time. */
export function move(part: number): void {
  const { from, to } = visibleRange.value;
  const by = (to - from) * part;
  showRange({ from: from + by, to: to + by });
}

/** Chooses a thing on the timeline, and moves there if it is not shown. */
export function choose(one: Chosen): void {
  const all = recording.value!;
  chosen.value = one;
  const func = functionOf(all, one);
  if (func !== undefined) chosenFunction.value = func;
  const { title, rows } = describe(all, one);
  const said = rows.filter(([name]) => SAID.includes(name));
  message.value = `${title}, ${said.map(([name, text]) => `${name} ${text}`).join(', ')}`;
  const { from, to } = rangeOf(all, one);
  const shown = visibleRange.value;
  if (to < shown.from || from > shown.to) {
    const length = shown.to - shown.from;
    const middle = from + Math.min(to - from, length) / 2;
    showRange({ from: middle - length / 2, to: middle + length / 2 });
  }
  revealGroup(one);
  timelineScroll.reveal(one);
}

/** Shows a thing with some room around it; of a request or context, all of its time. */
export function fit(one: Chosen): void {
  const group = one.type === 'slice' ? groupOf(one) : undefined;
  const { from, to } = group ?? rangeOf(recording.value!, one);
  const room = Math.max((to - from) * AROUND, SHORTEST);
  showRange({ from: from - room, to: to + room });
}

/** Chooses a thing and shows it on the timeline. */
export function goTo(one: Chosen): void {
  showView('timeline');
  fit(one);
  choose(one);
}

/** Shows where a function is defined. */
export function showSource(func: number): void {
  const one = recording.value?.functions[func];
  if (one === undefined || one.file === '') {
    message.value = `where ${functionName(func)} is defined was not recorded`;
    return;
  }
  chosenFunction.value = func;
  sourcePlace.value = { file: one.file, line: one.line };
  showView('source');
}

/** Searches for the text of the search box; says how much was found. */
export function runSearch(): void {
  const all = recording.value;
  if (all === undefined) return;
  found.value = query.value.trim() === '' ? undefined : search(all, query.value);
  if (found.value === undefined) return;
  const { functions, texts, instants, slices, marks } = found.value;
  message.value = isNothing(found.value)
    ? `nothing has ${query.value}`
    : `found: ${functions.size} functions, ${texts.size} texts, ${instants.size} kinds of events, ${slices.length} slices, ${marks.length} marks; n goes to the next`;
}

/** Goes to what was found next, in a direction. */
export function goToHit(step: 1 | -1): void {
  const all = recording.value;
  if (all === undefined || found.value === undefined) return;
  const { from, to } = visibleRange.value;
  const now = chosen.value === undefined ? (step === 1 ? from - 1 : to + 1) : rangeOf(all, chosen.value).from;
  const hit = nextHit(all, found.value, now, step);
  if (hit === undefined) message.value = step === 1 ? 'nothing more was found behind' : 'nothing more was found before';
  else chooseHit(hit);
}

function chooseHit(hit: Hit): void {
  if (view.value !== 'timeline') showView('timeline');
  choose(hit);
}

/** Groups calls on the timeline. */
export function groupBy(by: Grouping): void {
  grouping.value = by;
  toggledGroups.value = new Set();
  timelineScroll.to(0);
  const groups = contextGroups.value;
  message.value = groups === undefined ? 'a group a thread' : `${groups.all.length} groups, the longest first`;
  if (chosen.value !== undefined) revealGroup(chosen.value);
}

function nextGrouping(): void {
  const all = groupings.value;
  if (all.length < 2)
    message.value = 'this recording does not follow async contexts: record with -O async-context -e sched -e http';
  else groupBy(all[(all.indexOf(grouping.value) + 1) % all.length]!);
}

/** Folds a group, or unfolds it. */
export function toggle(key: string): void {
  const next = new Set(toggledGroups.value);
  if (!next.delete(key)) next.add(key);
  toggledGroups.value = next;
}

function foldChosen(): void {
  const one = chosen.value;
  const group = groupOf(one);
  if (group !== undefined) {
    const isFolded = !toggledGroups.value.has(group.key);
    toggle(group.key);
    message.value = `${group.title} is ${isFolded ? 'unfolded' : 'folded'}`;
    // A call in a folded group is not seen: its stretch is.
    if (!isFolded && one?.type === 'call') choose({ type: 'slice', index: runOf(group, rangeOf(recording.value!, one).from) });
  } else if (one !== undefined && contextGroups.value === undefined && 'track' in one) toggle(trackKey(one.track));
  else message.value = 'no group is chosen';
}

/** The stretch of a group that runs at a time, or began before it. */
function runOf({ runs }: ContextGroup, time: number): number {
  return runs.functions[Math.max(0, lastAtOrBefore(runs.starts.subarray(0, runs.count), time))]!;
}

/** Unfolds the group of a call: else it is not seen. */
function revealGroup(one: Chosen): void {
  const group = one.type === 'call' ? groupOf(one) : undefined;
  if (group !== undefined && !toggledGroups.value.has(group.key)) toggle(group.key);
}

/** Goes to the next part of a coroutine's call, or the next stretch of a context; from the last to the first. */
function nextPart(): void {
  const parts = flowOf.value;
  if (parts.length < 2) {
    message.value = 'what is chosen runs once, as far as it was recorded';
    return;
  }
  const { from } = rangeOf(recording.value!, chosen.value!);
  const at = parts.findIndex((part) => rangeOf(recording.value!, part).from > from);
  choose(parts[Math.max(0, at)]!);
  message.value = `part ${Math.max(0, at) + 1} of ${parts.length}: ${message.value}`;
}

/** Chooses a neighbour in a timeline whose groups are requests or contexts; false if it has none there. */
function moveInGroups(direction: 'previous' | 'next' | 'up' | 'down'): boolean {
  const groups = contextGroups.value;
  if (groups === undefined) return false;
  const one = chosen.value;
  const group = groupOf(one);
  const shown = shownGroups(groups, groupWords.value);
  const step = direction === 'next' || direction === 'down' ? 1 : -1;
  const chooseGroup = (next: ContextGroup | undefined): void => {
    if (next === undefined) return;
    choose({ type: 'slice', index: next.runs.functions[0]! });
    const { title, time, busy, runs } = next;
    const times = `${timeText(time)}, ran ${timeText(busy)} in ${runs.count} stretches`;
    message.value = `${title}: ${times}; ${shown.indexOf(next) + 1} of ${shown.length}`;
  };
  if (one === undefined || group === undefined) {
    chooseGroup(shown[0]);
    return true;
  }
  if (one.type === 'call') {
    if (direction === 'up' && groups.at(one.track, rangeOf(recording.value!, one).from) === group) {
      const caller = callAround(recording.value!.tracks[one.track]!.rows, one.depth, one.index);
      if (caller !== undefined && groupOf({ type: 'call', track: one.track, ...caller }) === group) return false;
      choose({ type: 'slice', index: runOf(group, rangeOf(recording.value!, one).from) });
      return true;
    }
    if (direction === 'up' || direction === 'down') return false;
    const next = group.neighbour(one, step);
    if (next !== undefined) choose({ type: 'call', ...next });
    return true;
  }
  if (direction === 'previous' || direction === 'next') {
    const { functions, count } = group.runs;
    const next = functions.subarray(0, count).indexOf(one.type === 'slice' ? one.index : NONE) + step;
    if (next >= 0 && next < count) choose({ type: 'slice', index: functions[next]! });
    return true;
  }
  const rows = toggledGroups.value.has(group.key) ? group.rows() : [];
  if (direction === 'down' && rows.length > 0) {
    const { row, indexes } = rows[0]!;
    const at = nearestCall(row, rangeOf(recording.value!, one).from);
    choose({ type: 'call', track: group.track, depth: row.depth, index: indexes[at]! });
    return true;
  }
  chooseGroup(shown[shown.indexOf(group) + step]);
  return true;
}

/** Chooses another call: of the same row, the caller, or the first callee. */
function moveChoice(direction: 'previous' | 'next' | 'up' | 'down'): void {
  const all = recording.value;
  if (all === undefined || moveInGroups(direction)) return;
  const one = chosen.value;
  if (one?.type !== 'call') {
    const { from, to } = visibleRange.value;
    const time = one === undefined ? (from + to) / 2 : rangeOf(all, one).from;
    const track = all.tracks.find(({ rows }) => rows.some(({ count }) => count > 0));
    const row = track?.rows.find(({ count }) => count > 0);
    if (track !== undefined && row !== undefined)
      choose({ type: 'call', track: track.index, depth: row.depth, index: nearestCall(row, time) });
    return;
  }
  const { rows } = all.tracks[one.track]!;
  const row = rows[one.depth]!;
  if (direction === 'previous' || direction === 'next') {
    const index = one.index + (direction === 'next' ? 1 : -1);
    if (index >= 0 && index < row.count) choose({ ...one, index });
    return;
  }
  const start = row.starts[one.index]!;
  const end = row.end(one.index);
  const step = direction === 'up' ? -1 : 1;
  for (let depth = one.depth + step; depth >= 0 && depth < rows.length; depth += step) {
    const other = rows[depth]!;
    if (step < 0) {
      const index = other.at(start);
      if (index === NONE) continue;
      choose({ ...one, depth, index });
      return;
    }
    const [index, behind] = other.between(start, end);
    if (index >= behind) continue;
    choose({ ...one, depth, index });
    return;
  }
}

/** Goes to the next of some times behind what is chosen or shown, and from the last to the first. */
function nextOf<One>(all: readonly One[], timeOf: (one: One) => number, now: number): number {
  let best = -1;
  let first = -1;
  for (const [index, one] of all.entries()) {
    const time = timeOf(one);
    if (first < 0 || time < timeOf(all[first]!)) first = index;
    if (time > now && (best < 0 || time < timeOf(all[best]!))) best = index;
  }
  return best < 0 ? first : best;
}

/** The middle of the time, from which on the next thing is looked for. */
function now(): number {
  const all = recording.value!;
  if (chosen.value !== undefined) return rangeOf(all, chosen.value).from;
  return visibleRange.value.from;
}

function nextMark(): void {
  const { marks } = recording.value!;
  const index = nextOf(marks, ({ time }) => time, now());
  if (index >= 0) choose({ type: 'mark', index });
  else message.value = 'there is no mark';
}

/** The next event of the thread of what is chosen, or of the first thread that has events. */
function nextEvent(): void {
  const all = recording.value!;
  const one = chosen.value;
  const has = one !== undefined && 'track' in one ? all.tracks[one.track] : undefined;
  const track = has !== undefined && has.instants.count > 0 ? has : all.tracks.find(({ instants }) => instants.count > 0);
  if (track === undefined) {
    message.value = 'there is no event';
    return;
  }
  const { times } = track.instants;
  const isOn = one?.type === 'instant' && one.track === track.index;
  const index = isOn ? one.index + 1 : lastAtOrBefore(times.all, now()) + 1;
  choose({ type: 'instant', track: track.index, index: index % times.count });
}

function nextLoss(): void {
  const all = lossRanges(recording.value!);
  const { from } = visibleRange.value;
  const index = nextOf(all, (one) => one.from, from);
  if (index < 0) {
    message.value = 'nothing was lost';
    return;
  }
  const { count, ...range } = all[index]!;
  const room = (range.to - range.from) * AROUND;
  // The stretch begins a little behind the left edge, so that the next one is behind it.
  showRange({ from: range.from, to: range.to + room });
  message.value = count < 0 ? 'records were lost here' : `${count} records were lost here`;
}

/** The function that the views are about: the chosen one. */
function withFunction(act: (func: number) => void): void {
  // What only the other recording has is shown there.
  if (chosenFunction.value === undefined && chosenElsewhere.value !== undefined) switchSide();
  if (chosenFunction.value === undefined) message.value = 'no function is chosen';
  else act(chosenFunction.value);
}

function nextOrder(): void {
  if (view.value === 'changes') {
    changeOrder.value = CHANGE_ORDERS[(CHANGE_ORDERS.indexOf(changeOrder.value) + 1) % CHANGE_ORDERS.length]!;
    message.value = `by the change of ${changeOrder.value}`;
    return;
  }
  if (view.value === 'table') {
    tableOrder.value = TABLE_ORDERS[(TABLE_ORDERS.indexOf(tableOrder.value) + 1) % TABLE_ORDERS.length]!;
    message.value = `by ${tableOrder.value}`;
    return;
  }
  flameOrder.value = STACK_ORDERS[(STACK_ORDERS.indexOf(flameOrder.value) + 1) % STACK_ORDERS.length]!;
  message.value = { time: 'in the order of time', heavy: 'the heaviest left', name: 'by name' }[flameOrder.value];
}

/** Shows the other one of two recordings; the function that is chosen stays so. */
export function switchSide(): void {
  if (both.value === undefined) {
    message.value = ONE_RECORDING;
    return;
  }
  const index = chosenChange.value;
  side.value = side.value === 'after' ? 'before' : 'after';
  recording.value = both.value[side.value];
  revision.value++;
  chosen.value = undefined;
  found.value = undefined;
  shownRange.value = undefined;
  selectedRange.value = undefined;
  sourcePlace.value = undefined;
  timelineScroll.to(0);
  chooseChange(index);
  message.value = `${recording.value.start.name}, the recording ${side.value}`;
}

/** Chooses a function of the comparison. */
export function chooseChange(index: number | undefined): void {
  chosenFunction.value = index === undefined ? undefined : comparison.value?.functionOf(index, side.value);
  chosenElsewhere.value = chosenFunction.value === undefined ? index : undefined;
}

/** The longest call of a function, on the timeline. */
export function showLongest(func: number): void {
  const all = recording.value!;
  const [place] = longestCalls(all, func, selectedRange.value ?? wholeRange.value, 1);
  if (place === undefined) message.value = `no call of ${functionName(func)} has ended`;
  else goTo({ type: 'call', ...place });
}

/** Shows callers and callees of a function. */
export function showAround(func: number): void {
  chosenFunction.value = func;
  showView('sandwich');
}

function stepBack(): void {
  if (isHelpOpen.value) isHelpOpen.value = false;
  else if (found.value !== undefined || query.value !== '') {
    found.value = undefined;
    query.value = '';
  } else if (selectedRange.value !== undefined) selectedRange.value = undefined;
  else chosen.value = undefined;
}

const isInDrawing = (): boolean => document.activeElement?.tagName === 'CANVAS' || document.activeElement === document.body;

const moveUpOrDown = (direction: 'up' | 'down'): void => {
  if (view.value === 'timeline' && isInDrawing()) moveChoice(direction);
  else if (!moveFocus(direction === 'up' ? -1 : 1) && view.value !== 'timeline') moveInFlame(direction);
};
const moveSideways = (direction: 'previous' | 'next'): void => {
  if (view.value === 'timeline') moveChoice(direction);
  else moveInFlame(direction);
};

/** What each action does. */
const ACTIONS: Readonly<Record<Exclude<ActionId, `view-${ViewId}`>, () => void>> = {
  search: () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  'next-hit': () => goToHit(1),
  'previous-hit': () => goToHit(-1),
  help: () => {
    isHelpOpen.value = !isHelpOpen.value;
  },
  escape: stepBack,
  'zoom-in': () => zoom(ZOOM),
  'zoom-out': () => zoom(1 / ZOOM),
  earlier: () => move(-MOVE),
  later: () => move(MOVE),
  whole: () => {
    if (view.value === 'timeline') shownRange.value = undefined;
    else widest.value = undefined;
  },
  fit: () => {
    if (view.value !== 'timeline') widen();
    else if (chosen.value !== undefined) fit(chosen.value);
  },
  'select-visible': () => {
    selectedRange.value = visibleRange.value;
    message.value = 'the other views count this time only; Escape forgets it';
  },
  previous: () => moveSideways('previous'),
  next: () => moveSideways('next'),
  up: () => moveUpOrDown('up'),
  down: () => moveUpOrDown('down'),
  'scroll-up': () => timelineScroll.by(-0.8),
  'scroll-down': () => timelineScroll.by(0.8),
  'next-event': nextEvent,
  'next-mark': nextMark,
  'next-loss': nextLoss,
  order: nextOrder,
  source: () => withFunction(showSource),
  callers: () => withFunction(showAround),
  longest: () => withFunction(showLongest),
  side: switchSide,
  group: nextGrouping,
  fold: foldChosen,
  'fold-all': () => {
    toggledGroups.value = new Set();
  },
  'next-part': nextPart,
  perfetto: () => void sendToPerfetto(dataSource.value, recording.value?.start.name ?? ''),
};

/** Does what a key stands for. */
export function act(id: ActionId): void {
  if (id.startsWith('view-')) showView(id.slice('view-'.length) as ViewId);
  else if (recording.value !== undefined || id === 'help') ACTIONS[id as Exclude<ActionId, `view-${ViewId}`>]();
}
