import type { Key } from '../keys.js';
import { LIVE_VIEWS, type LiveViewId } from './live-views.js';

/** What a person can do by a control that has this name in `data-action`: its key presses it, or goes to it. */
export const CONTROLS = [
  'all',
  'ask',
  'attach',
  'clear',
  'event',
  'filter',
  'find',
  'follow',
  'handles',
  'make',
  'order',
  'pause',
  'put-back',
  'record',
  'refresh',
  'take',
  'threshold',
  'timeline',
  'tracer',
  'tracing',
  'values',
  'waiting',
] as const;
export type ControlName = (typeof CONTROLS)[number];
/** What a key does on the page of running processes. */
export type LiveActionId = `view-${LiveViewId}` | ControlName | 'help' | 'escape' | 'up' | 'down' | 'press';

/** The keys of the page of running processes. */
export const LIVE_KEYS: readonly Key<LiveActionId, LiveViewId>[] = [
  ...LIVE_VIEWS.map(({ id, title }, i) => ({
    key: String(i + 1),
    label: String(i + 1),
    action: `view-${id}` as const,
    does: `shows: ${title}`,
  })),
  { key: 'p', label: 'p', action: 'pause', does: 'stops asking the process, and goes on' },
  { key: 'u', label: 'u', action: 'put-back', does: 'puts back all that this page has changed in the process' },
  {
    key: 'a',
    label: 'a',
    action: 'all',
    does: 'shows the functions of packages and of Node too, or only the application’s',
    views: ['now', 'top'],
  },
  { key: 'h', label: 'h', action: 'handles', does: 'asks what keeps the process alive', views: ['now'] },
  { key: 'w', label: 'w', action: 'waiting', does: 'asks which async calls wait, and for what', views: ['now'] },
  { key: 'b', label: 'b', action: 'ask', does: 'asks a process without fentry what it does', views: ['now'] },
  { key: 'x', label: 'x', action: 'attach', does: 'loads fentry into a process without it', views: ['now'] },
  { key: 'm', label: 'm', action: 'threshold', does: 'goes to the milliseconds from which on a turn is slow', views: ['slow'] },
  { key: 'o', label: 'o', action: 'order', does: 'sorts by the next column: time, self, calls', views: ['top'] },
  { key: '/', label: '/', action: 'find', does: 'goes to the search', views: ['source', 'trace', 'processes'] },
  { key: 'v', label: 'v', action: 'values', does: 'goes to the values that a new probe shows', views: ['source'] },
  { key: 'c', label: 'c', action: 'clear', does: 'empties the list of what has come', views: ['slow', 'source', 'trace'] },
  { key: 's', label: 's', action: 'follow', does: 'shows the trace as it comes, or no longer', views: ['trace'] },
  { key: 't', label: 't', action: 'tracing', does: 'switches tracing on or off', views: ['trace'] },
  { key: 'g', label: 'g', action: 'tracer', does: 'goes to the tracer', views: ['trace'] },
  { key: 'f', label: 'f', action: 'filter', does: 'goes to the functions that are traced', views: ['trace'] },
  { key: 'l', label: 'l', action: 'record', does: 'records the next seconds as a graph of calls', views: ['trace'] },
  { key: 'k', label: 'k', action: 'take', does: 'takes what the buffers have as a recording', views: ['trace'] },
  { key: 'o', label: 'o', action: 'timeline', does: 'opens the last recording on the timeline', views: ['trace'] },
  { key: 'e', label: 'e', action: 'event', does: 'goes to the event of a new histogram', views: ['histograms'] },
  { key: 'n', label: 'n', action: 'make', does: 'makes the histogram', views: ['histograms'] },
  { key: 'r', label: 'r', action: 'refresh', does: 'reads the list again', views: ['histograms', 'processes'] },
  { key: 'ArrowUp', label: '↑', action: 'up', does: 'goes to the row above' },
  { key: 'ArrowDown', label: '↓', action: 'down', does: 'goes to the row below' },
  {
    key: 'Enter',
    label: 'Enter',
    action: 'press',
    does: 'does what has the focus: shows a source, puts a probe on a line or removes it, chooses a process',
  },
  { key: 'Escape', label: 'Escape', action: 'escape', does: 'closes the help, leaves a field' },
  { key: '?', label: '?', action: 'help', does: 'lists the keys' },
];
