/** The system call that an event is about. */
export interface EventCall {
  /**
   * The place of a call that the thread does not wait for among those in flight, from 1 on: libuv makes them on threads of its
   * pool, which no JavaScript sees. 0: the thread makes it itself, or the event is about no call.
   */
  place: number;
}

/** The system call of this thread's event. */
export const eventCall: EventCall = { place: 0 };
