import { computed, signal } from '@preact/signals';
import type { RecordingSide } from '../timeline/compare-timelines.js';
import type { Grouping } from '../timeline/context-groups.js';
import type { TableOrder } from '../timeline/function-table.js';
import type { SearchResult } from '../timeline/search.js';
import type { StackOrder, TimeRange } from '../timeline/stacks.js';
import type { CallAddress, TimelineRecording } from '../timeline/timeline-recording.js';
import type { DataSource } from './data-source.js';
import type { ViewId } from './views.js';

/** What a person has chosen on the timeline. */
export type Chosen =
  | ({ readonly type: 'call' } & CallAddress)
  | { readonly type: 'slice'; readonly index: number }
  | { readonly type: 'instant'; readonly track: number; readonly index: number }
  | { readonly type: 'mark'; readonly index: number };

/** A place in a source. */
export interface ShownPlace {
  readonly file: string;
  readonly line: number;
}

/** The recording, as far as it came. `revision` changes with each piece of it. */
export const recording = signal<TimelineRecording | undefined>(undefined);
export const revision = signal(0);
export const isLoading = signal(true);
/** Why there is no recording, or only a part of one. */
export const problem = signal('');
/** The two recordings that are compared, when both are whole; undefined: there is one. `recording` is one of them. */
export const both = signal<Readonly<Record<RecordingSide, TimelineRecording>> | undefined>(undefined);
/** Which of the two the views show. */
export const side = signal<RecordingSide>('after');
export const dataSource = signal<DataSource | undefined>(undefined);

export const view = signal<ViewId>('timeline');
/** What the timeline shows; undefined: all. */
export const shownRange = signal<TimeRange | undefined>(undefined);
/** What the other views count; undefined: all. */
export const selectedRange = signal<TimeRange | undefined>(undefined);
/** What calls are grouped by on the timeline, and the groups that were folded or unfolded. */
export const grouping = signal<Grouping>('thread');
export const toggledGroups = signal<ReadonlySet<string>>(new Set());
export const chosen = signal<Chosen | undefined>(undefined);
/** The function that the table, the source and the callers are about. */
export const chosenFunction = signal<number | undefined>(undefined);
/** The function of the comparison that is chosen, if the shown recording does not have it. */
export const chosenElsewhere = signal<number | undefined>(undefined);
export const sourcePlace = signal<ShownPlace | undefined>(undefined);
export const flameOrder = signal<StackOrder>('time');
/** The columns by whose change functions of two recordings are sorted, the largest first. */
export const CHANGE_ORDERS = ['total', 'self', 'calls', 'p50', 'p90', 'p99'] as const;
export const changeOrder = signal<(typeof CHANGE_ORDERS)[number]>('total');
export const tableOrder = signal<TableOrder>('total');
/** Whether tables leave out functions that are not the application's. */
export const isOwnOnly = signal(true);
export const query = signal('');
export const found = signal<SearchResult | undefined>(undefined);
export const isHelpOpen = signal(false);
/** Said to screen readers, and shown in the last line. */
export const message = signal('');

/** The time of the whole recording. */
export const wholeRange = computed((): TimeRange => {
  revision.value;
  const { from = 0, to = 1 } = recording.value ?? {};
  if (!(from < to)) return from <= to ? { from, to: from + 1 } : { from: 0, to: 1 };
  return { from, to };
});
/** What the timeline shows. */
export const visibleRange = computed((): TimeRange => shownRange.value ?? wholeRange.value);
/** What is counted. */
export const countedRange = computed((): TimeRange => selectedRange.value ?? wholeRange.value);

/** The name of a function. */
export const functionName = (func: number): string => recording.value?.functions[func]?.name ?? '';
