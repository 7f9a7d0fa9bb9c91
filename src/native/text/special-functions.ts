/** Functions that are not called and do not return as others do. */

/** What a function is to a tracer: `TextFunction.kind`. */
export const KIND = {
  plain: 0,
  /** The function looks at its return address or keeps it: a tracer that puts its own there must leave the function alone. */
  keepsReturn: 1,
} as const;

/** Why there is no site: the function is reached, but not called. */
const NOT_CALLED = 'is not called: it is where the kernel, the loader or a profiler’s call arrives';
/** V8 copies them to where calls from compiled JavaScript reach them, and finds their frames by return addresses. */
const BUILTIN = 'is a builtin of V8, which runs a copy of its text';
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(__restore_rt|_?_?start_context|_dl_runtime_(resolve|profile)\w*|_dl_tlsdesc\w*|__x86_indirect_thunk\w*)$/, NOT_CALLED],
  [/^(_*mcount|__fentry__|__morestack\w*)$/, NOT_CALLED],
  [/^Builtins_\w+$/, BUILTIN],
];

const KEEPS_RETURN: readonly RegExp[] = [
  // Return twice, or into another context.
  /^_*(sig)?setjmp$/,
  /^_*(vfork|clone3?|getcontext|setcontext|swapcontext|makecontext)$/,
  // What they do depends on the object that calls them.
  /^_*(dlopen|dlsym|dlvsym|dlmopen)$/,
  // Unwinders begin with their own frame.
  /^_Unwind_\w+$/,
  /^uw_\w+$/,
  // Nothing called it.
  /^_start$/,
];

/** Why a function must not be touched at all; undefined: it may. */
export const untouchable = (name: string): string | undefined => REASONS.find(([pattern]) => pattern.test(name))?.[1];

export const functionKind = (name: string): number =>
  KEEPS_RETURN.some((pattern) => pattern.test(name)) ? KIND.keepsReturn : KIND.plain;

/** What unwinds stacks begins with its own frames. */
const UNWINDER = /^lib(gcc_s|unwind)[.-]/;

export const isUnwinder = (module: string): boolean => UNWINDER.test(module);

/** Whether the return address of a function of an object must be left alone. */
export const keepsReturn = (name: string, module: string): boolean =>
  functionKind(name) === KIND.keepsReturn || isUnwinder(module);
