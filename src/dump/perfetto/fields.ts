/**
 * The numbers of the fields that are written, by message: perfetto's `protos/perfetto/trace/trace_packet.proto`,
 * `track_event/track_event.proto`, `track_event/track_descriptor.proto` and others there.
 */
export const TRACE = { packet: 1 } as const;
export const PACKET = {
  clockSnapshot: 6,
  timestamp: 8,
  sequenceId: 10,
  trackEvent: 11,
  internedData: 12,
  sequenceFlags: 13,
  timestampClockId: 58,
  defaults: 59,
  trackDescriptor: 60,
} as const;
/** Flags of a sequence: the state before does not matter, and what is said before is needed. */
export const SEQUENCE_FLAG = { cleared: 1, needsState: 2 } as const;
export const DEFAULTS = { trackEvent: 11, timestampClockId: 58 } as const;
export const TRACK_EVENT = {
  categoryIids: 3,
  debugAnnotations: 4,
  type: 9,
  nameIid: 10,
  trackUuid: 11,
  categories: 22,
  name: 23,
  counterValue: 30,
  sourceLocationIid: 34,
  doubleCounterValue: 44,
  flowIds: 47,
  terminatingFlowIds: 48,
} as const;
export const TYPE = { sliceBegin: 1, sliceEnd: 2, instant: 3, counter: 4 } as const;
export const ANNOTATION = { nameIid: 1, boolValue: 2, intValue: 4, doubleValue: 5, stringValue: 6, stringValueIid: 17 } as const;
export const INTERNED = { eventCategories: 1, eventNames: 2, annotationNames: 3, sourceLocations: 4, stringValues: 29 } as const;
/** Categories, names of events and of annotations are alike; texts have bytes instead of a name. */
export const NAMED = { iid: 1, name: 2 } as const;
export const SOURCE_LOCATION = { iid: 1, fileName: 2, functionName: 3, lineNumber: 4 } as const;
export const TRACK = { uuid: 1, name: 2, process: 3, thread: 4, parentUuid: 5, counter: 8 } as const;
export const PROCESS = { pid: 1, processName: 6 } as const;
export const THREAD = { pid: 1, tid: 2, threadName: 5 } as const;
export const COUNTER = { unit: 3, unitName: 6 } as const;
export const UNIT = { count: 2, bytes: 3 } as const;
export const SNAPSHOT = { clocks: 1, primaryTraceClock: 2 } as const;
export const CLOCK = { clockId: 1, timestamp: 2, isIncremental: 3 } as const;
/** Perfetto's clocks; one from 64 on means what its sequence's snapshot says. */
export const CLOCK_ID = { realtime: 1, monotonic: 3, boottime: 6, delta: 64 } as const;
