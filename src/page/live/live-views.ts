/** The views of the page of running processes, in the order of their tabs and keys. */
export const LIVE_VIEWS = [
  { id: 'now', title: 'Now' },
  { id: 'slow', title: 'Slow turns' },
  { id: 'top', title: 'Functions' },
  { id: 'source', title: 'Source and probes' },
  { id: 'trace', title: 'Trace' },
  { id: 'histograms', title: 'Histograms' },
  { id: 'processes', title: 'Processes' },
] as const;
export type LiveViewId = (typeof LIVE_VIEWS)[number]['id'];
