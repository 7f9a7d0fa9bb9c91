/**
 * The shared object that gives Node's own process what JavaScript lacks: calls of addresses, and the addresses of typed arrays.
 * Its functions take their numbers in a BigUint64Array, because that needs the least of Node-API.
 */

/** What it calls. */
export const IMPORTS = [
  'napi_create_function',
  'napi_set_named_property',
  'napi_get_cb_info',
  'napi_get_typedarray_info',
  'clock_gettime',
] as const;
/** What Node looks for in a shared object. */
export const NODE_ENTRY = 'napi_register_module_v1';

/** Words of `call`: the function, its arguments, what it returned. */
export const CALL = { FUNCTION: 0, ARGUMENTS: 1, MOST_ARGUMENTS: 8, RESULT: 9, WORDS: 10 } as const;
/** Words that `locate` fills: where a view's bytes are, and functions of the shared object itself. */
export const LOCATED = { VIEW: 0, SYSTEM_CALL: 1, TIME_STAMP: 2, READ_CLOCKS: 3, WORDS: 4 } as const;
/** Words that the function at READ_CLOCKS fills: CLOCK_MONOTONIC, and the counter before and after it was read. */
export const CLOCKS = { BEFORE: 0, AFTER: 1, SECONDS: 2, NANOSECONDS: 3, WORDS: 4 } as const;

export const CLOCK_MONOTONIC = 1;
