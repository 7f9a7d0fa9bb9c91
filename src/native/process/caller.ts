import type { RemoteCall, RemoteFunctionCall } from './borrowed-stub.js';
import type { StoppedThread } from './stop.js';

/** What a process may be made to call. */
export type AnyCall = RemoteCall | RemoteFunctionCall;

/** Makes calls in a process. */
export interface Caller {
  /**
   * Makes the calls one after the other.
   * @param meanwhile gets their results
   * @param last calls that are made after that, whatever it does; their results are not told
   * @param mayBorrow whether a thread may make them; absent: any may
   * @returns what `meanwhile` returns
   */
  run<T>(
    calls: readonly AnyCall[],
    meanwhile: (results: readonly number[]) => T,
    last?: readonly RemoteCall[],
    mayBorrow?: (thread: StoppedThread) => boolean,
  ): T;
  /** Makes the calls and returns their results. @throws TraceError ENOMEM if one of them fails: which, and its errno */
  call(calls: readonly AnyCall[]): readonly number[];
}
