import { formatFile, HEADER_EVENT_FILE, headerPageFile } from '../events/format-file.js';
import { type EventFormat, FTRACE_EVENTS } from '../events/ftrace-events.js';
import type { TraceDirectory } from './node.js';
import { directory } from './path.js';
import { readOnly } from './text-file.js';

const eventDirectory = (name: string, event: EventFormat): TraceDirectory =>
  directory({
    format: readOnly(() => formatFile(name, event)),
    ...(event.hasId === true ? { id: readOnly(() => `${event.id}\n`) } : {}),
  });

const ftraceDirectory = (): TraceDirectory =>
  directory(
    Object.fromEntries(
      Object.entries<EventFormat>(FTRACE_EVENTS)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, event]) => [name, eventDirectory(name, event)]),
    ),
  );

/** events/: how pages and records lie in memory. */
export const eventsDirectory = (): TraceDirectory =>
  directory({
    ftrace: ftraceDirectory(),
    header_event: readOnly(() => HEADER_EVENT_FILE),
    header_page: readOnly(() => headerPageFile()),
  });
