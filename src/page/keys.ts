import { VIEWS, type ViewId } from './views.js';

/** What a person can do, by its name: `actions.ts` does it. */
export type ActionId =
  | `view-${ViewId}`
  | 'search'
  | 'next-hit'
  | 'previous-hit'
  | 'help'
  | 'escape'
  | 'zoom-in'
  | 'zoom-out'
  | 'earlier'
  | 'later'
  | 'whole'
  | 'fit'
  | 'select-visible'
  | 'previous'
  | 'next'
  | 'up'
  | 'down'
  | 'scroll-up'
  | 'scroll-down'
  | 'next-event'
  | 'next-mark'
  | 'next-loss'
  | 'order'
  | 'source'
  | 'callers'
  | 'longest'
  | 'side'
  | 'group'
  | 'fold'
  | 'fold-all'
  | 'next-part'
  | 'perfetto';

/** A key and what it does. */
export interface Key<Action extends string = ActionId, View extends string = ViewId> {
  /** What `KeyboardEvent.key` is. */
  readonly key: string;
  /** What a person reads. */
  readonly label: string;
  readonly action: Action;
  readonly does: string;
  /** Only in these views; absent: in all. */
  readonly views?: readonly View[];
}

const TIMELINE = ['timeline'] as const;
const WIDE = ['timeline', 'flame', 'changed-flame'] as const;
const DRAWN = ['timeline', 'flame', 'sandwich', 'changed-flame'] as const;

/** All keys: the help, the handler and the tests have them from here. */
export const KEYS: readonly Key[] = [
  ...VIEWS.map(({ id, title }, i) => ({
    key: String(i + 1),
    label: String(i + 1),
    action: `view-${id}` as const,
    does: `shows: ${title}`,
  })),
  { key: '/', label: '/', action: 'search', does: 'searches in functions, files, arguments, results, events and marks' },
  { key: 'n', label: 'n', action: 'next-hit', does: 'goes to the next thing that was found' },
  { key: 'N', label: 'Shift n', action: 'previous-hit', does: 'goes to the one before it' },
  { key: 'w', label: 'w', action: 'zoom-in', does: 'zooms in', views: TIMELINE },
  { key: '+', label: '+', action: 'zoom-in', does: 'zooms in', views: TIMELINE },
  { key: 's', label: 's', action: 'zoom-out', does: 'zooms out', views: TIMELINE },
  { key: '-', label: '-', action: 'zoom-out', does: 'zooms out', views: TIMELINE },
  { key: 'a', label: 'a', action: 'earlier', does: 'moves to earlier times', views: TIMELINE },
  { key: 'd', label: 'd', action: 'later', does: 'moves to later times', views: TIMELINE },
  { key: '0', label: '0', action: 'whole', does: 'shows all of the recording', views: WIDE },
  { key: 'f', label: 'f', action: 'fit', does: 'gives what is chosen the whole width', views: WIDE },
  {
    key: 'x',
    label: 'x',
    action: 'select-visible',
    does: 'selects the shown time: the other views count only that',
    views: TIMELINE,
  },
  { key: 'ArrowLeft', label: '←', action: 'previous', does: 'chooses the call before', views: DRAWN },
  { key: 'ArrowRight', label: '→', action: 'next', does: 'chooses the call behind', views: DRAWN },
  { key: 'ArrowUp', label: '↑', action: 'up', does: 'chooses the caller; in a list, the row above' },
  { key: 'ArrowDown', label: '↓', action: 'down', does: 'chooses the first callee; in a list, the row below' },
  { key: 'PageUp', label: 'Page up', action: 'scroll-up', does: 'shows the rows above', views: TIMELINE },
  { key: 'PageDown', label: 'Page down', action: 'scroll-down', does: 'shows the rows below', views: TIMELINE },
  {
    key: 'g',
    label: 'g',
    action: 'group',
    does: 'groups calls by thread, by request, by async context',
    views: TIMELINE,
  },
  { key: 'z', label: 'z', action: 'fold', does: 'folds or unfolds the group of what is chosen', views: TIMELINE },
  { key: 'Z', label: 'Shift z', action: 'fold-all', does: 'folds all groups as they were at first', views: TIMELINE },
  {
    key: 'r',
    label: 'r',
    action: 'next-part',
    does: 'goes to where the call, or the context, that is chosen runs next; lines lead there',
    views: TIMELINE,
  },
  { key: 'e', label: 'e', action: 'next-event', does: 'goes to the next event of the thread', views: TIMELINE },
  { key: 'm', label: 'm', action: 'next-mark', does: 'goes to the next mark', views: TIMELINE },
  { key: 'l', label: 'l', action: 'next-loss', does: 'goes to the next stretch where records were lost', views: TIMELINE },
  {
    key: 'o',
    label: 'o',
    action: 'order',
    does: 'changes the order: of the flame graph by time, the heaviest left, by name; of functions by the next column',
    views: ['flame', 'table', 'changes', 'changed-flame'],
  },
  { key: 'Enter', label: 'Enter', action: 'source', does: 'shows the source of what is chosen', views: DRAWN },
  { key: 'c', label: 'c', action: 'callers', does: 'shows callers and callees of the function that is chosen' },
  { key: 't', label: 't', action: 'longest', does: 'shows the longest call of the function that is chosen on the timeline' },
  { key: 'b', label: 'b', action: 'side', does: 'of two recordings, shows the other one: before, or after' },
  { key: 'p', label: 'p', action: 'perfetto', does: 'sends the recording to ui.perfetto.dev, and opens that' },
  { key: 'Escape', label: 'Escape', action: 'escape', does: 'closes the help, ends the search, forgets the selection' },
  { key: '?', label: '?', action: 'help', does: 'lists the keys' },
];

/** What a key does in a view. */
export const actionOf = (key: string, view: ViewId): ActionId | undefined => keyOf(KEYS, key, view)?.action;

/** What a key of a table stands for in a view. */
export const keyOf = <Action extends string, View extends string>(
  keys: readonly Key<Action, View>[],
  key: string,
  view: View,
): Key<Action, View> | undefined => keys.find((one) => one.key === key && (one.views === undefined || one.views.includes(view)));
