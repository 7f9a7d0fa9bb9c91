/**
 * An event that tells of requests, or of jobs, as its record has it. `at`: seconds of the trace clock. Contexts are async ids;
 * 0 is none.
 */
export type RequestEvent = { readonly at: number; readonly cpu: number } & (
  | /** Another context runs. */ {
      readonly type: 'switch';
      readonly next: number;
      readonly comm: string;
      readonly isInside: boolean;
    }
  /** A context is ready to run; `at` may be earlier than the record before. */
  | { readonly type: 'ready'; readonly context: number }
  /** The running context has made another one. */
  | { readonly type: 'new'; readonly context: number; readonly comm: string }
  /** Where the functions stood that were on the stack when the last context was made, or operation begun: the innermost first. */
  | { readonly type: 'stack'; readonly addresses: readonly number[] }
  | { readonly type: 'request'; readonly id: number; readonly method: string; readonly url: string }
  | { readonly type: 'answered'; readonly id: number; readonly status: number }
  /** A job begins; `id` is that of its message, 0 if this is no object. What is made until it has returned is its own. */
  | { readonly type: 'job'; readonly id: number; readonly name: string; readonly message: string }
  /** The function that began a job has returned; the job goes on if it is asynchronous. */
  | { readonly type: 'returned'; readonly id: number }
  | { readonly type: 'finished'; readonly id: number }
  /** A synchronous operation on a file begins, and ends. */
  | { readonly type: 'operation'; readonly id: number }
  | { readonly type: 'operated'; readonly id: number }
  /** A garbage collection began at `from` and took `seconds`. */
  | { readonly type: 'collection'; readonly from: number; readonly seconds: number }
  | { readonly type: 'lost'; readonly count: number }
);
