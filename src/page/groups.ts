import { computed } from '@preact/signals';
import { CallParts } from '../timeline/call-parts.js';
import { type ContextGroup, ContextGroups, groupingsOf } from '../timeline/context-groups.js';
import type { CallAddress, TimelineRecording } from '../timeline/timeline-recording.js';
import { rangeOf } from './choices.js';
import { type Chosen, chosen, found, grouping, query, recording, revision } from './state.js';

/** What the recording can be grouped by. */
export const groupings = computed(() => {
  revision.value;
  return recording.value === undefined ? [] : groupingsOf(recording.value);
});

/** The requests or contexts that calls are grouped by; undefined: by threads. */
export const contextGroups = computed(() => {
  revision.value;
  const all = recording.value;
  return all === undefined || grouping.value === 'thread' ? undefined : new ContextGroups(all, grouping.value);
});

/** The words of the search by which groups are shown. */
export const groupWords = computed((): readonly string[] =>
  found.value === undefined ? [] : query.value.toLowerCase().split(/\s+/).filter(Boolean),
);

/** The group of a thing on the timeline. */
export function groupOf(one: Chosen | undefined): ContextGroup | undefined {
  const groups = contextGroups.value;
  if (groups === undefined || one === undefined || one.type === 'mark') return undefined;
  if (one.type === 'slice') return groups.ofSlice(one.index);
  return groups.at(one.track, rangeOf(recording.value!, one).from);
}

let parts: { readonly of: TimelineRecording; readonly revision: number; readonly parts: CallParts } | undefined;

/** All parts of a coroutine's call, in the order of time. */
export function partsOf(call: CallAddress): readonly CallAddress[] {
  const of = recording.value!;
  if (parts?.of !== of || parts.revision !== revision.value) parts = { of, revision: revision.value, parts: new CallParts(of) };
  return parts.parts.of(call);
}

/** What belongs to what is chosen, in the order of time: the parts of a coroutine's call, or the stretches of a context. */
export const flowOf = computed((): readonly Chosen[] => {
  const one = chosen.value;
  if (one?.type === 'call') return partsOf(one).map((part) => ({ type: 'call', ...part }));
  const group = one?.type === 'slice' ? groupOf(one) : undefined;
  if (group === undefined) return [];
  return Array.from(group.runs.functions.subarray(0, group.runs.count), (index) => ({ type: 'slice', index }));
});
