/** The time of an event that is being recorded. */
export interface EventTime {
  /**
   * When it happened, in nanoseconds of the trace clock; 0: now. Some happenings are learned of later: that a timer was due, or
   * that the event loop went to sleep. A record cannot stand before the last one of its buffer: there it gets that one's time.
   */
  at: number;
}

/** The time of this thread's events. */
export const eventTime: EventTime = { at: 0 };
