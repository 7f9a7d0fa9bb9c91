/** An event that tells of requests, as the trace has it. `at`: seconds of the trace clock. Contexts are async ids; 0 is none. */
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
  /** The functions that were on the stack when the last context was made, innermost first; a place follows after a tab. */
  | { readonly type: 'stack'; readonly functions: readonly string[] }
  | { readonly type: 'request'; readonly id: number; readonly method: string; readonly url: string }
  | { readonly type: 'answered'; readonly id: number; readonly status: number }
  /** A garbage collection began at `from` and took `seconds`. */
  | { readonly type: 'collection'; readonly from: number; readonly seconds: number }
  | { readonly type: 'lost'; readonly count: number }
);
