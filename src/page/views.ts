/** The views, in the order of their tabs and keys. */
export const VIEWS = [
  { id: 'timeline', title: 'Timeline' },
  { id: 'flame', title: 'Flame graph' },
  { id: 'sandwich', title: 'Callers and callees' },
  { id: 'table', title: 'Functions' },
  { id: 'source', title: 'Source' },
  { id: 'requests', title: 'Requests' },
] as const;
export type ViewId = (typeof VIEWS)[number]['id'];
