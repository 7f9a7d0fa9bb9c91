/** An integer of 64 bits: a number where that is exact, else a bigint. */
export type Int64 = number | bigint;

/**
 * A field of an event's record. `T` are the arguments of the tracepoint, from which `get` takes the value.
 * What `get` returns is made to fit: it is cut to the type's width; what is not of the type becomes 0 or a short text, and
 * what `get` throws does too.
 */
export interface TraceField<T extends readonly unknown[] = never> {
  /** The C type of the field, or of one element. */
  readonly type: string;
  /** `one` value; an `array` of `count`; a `dynamic` array, whose length each record says. */
  readonly shape: 'one' | 'array' | 'dynamic';
  readonly count: number;
  /** Present where the value is one of a function: the record has its address. */
  readonly isFunction?: boolean;
  readonly get: (...args: T) => unknown;
}

type Get<T extends readonly unknown[], V> = (...args: T) => V;

const one =
  <V>(type: string) =>
  <T extends readonly unknown[]>(get: Get<T, V>): TraceField<T> => ({ type, shape: 'one', count: 1, get });

/** Integers, by width and sign (__field). */
export const u8 = one<number>('u8');
export const s8 = one<number>('s8');
export const u16 = one<number>('u16');
export const s16 = one<number>('s16');
export const u32 = one<number>('u32');
export const s32 = one<number>('s32');
export const u64 = one<Int64>('u64');
export const s64 = one<Int64>('s64');
/** `int`, `unsigned int`, `long`, `unsigned long`, `size_t`: as C has them on 64-bit machines. */
export const int = one<number>('int');
export const uint = one<number>('unsigned int');
export const long = one<Int64>('long');
export const ulong = one<Int64>('unsigned long');
export const size = one<Int64>('size_t');
export const bool = one<boolean>('bool');
export const pid = one<number>('pid_t');
/** A pointer: a number that stands for an object, printed with `%p`. */
export const pointer = one<Int64>('void *');

/** A function: the record has the address of its text, which `%pS` prints as its name; 0 for one that fentry does not know. */
export const symbol = <T extends readonly unknown[]>(get: Get<T, unknown>): TraceField<T> => ({
  type: 'unsigned long',
  shape: 'one',
  count: 1,
  isFunction: true,
  get,
});

/** A function's address as a pointer, as the kernel's events have it: `REC->NAME` with `%ps`. */
export const functionPointer = <T extends readonly unknown[]>(get: Get<T, unknown>): TraceField<T> => ({
  ...symbol(get),
  type: 'void *',
});

/** A text of any length (__string): printed with `%s` and `__get_str(NAME)`. */
export const string = <T extends readonly unknown[]>(get: Get<T, string>): TraceField<T> => ({
  type: 'char',
  shape: 'dynamic',
  count: 0,
  get,
});

/** A text in `bytes` bytes, a zero byte included (__array of char): a longer one is cut. */
export const fixedString = <T extends readonly unknown[]>(bytes: number, get: Get<T, string>): TraceField<T> => ({
  type: 'char',
  shape: 'array',
  count: bytes,
  get,
});

/** An array of `count` integers (__array). */
export const array = <T extends readonly unknown[]>(
  type: string,
  count: number,
  get: Get<T, ArrayLike<Int64>>,
): TraceField<T> => ({ type, shape: 'array', count, get });

/** Integers, as many as there are (__dynamic_array). */
export const dynamicArray = <T extends readonly unknown[]>(type: string, get: Get<T, ArrayLike<Int64>>): TraceField<T> => ({
  type,
  shape: 'dynamic',
  count: 0,
  get,
});

/** Bits, 64 in each element (__bitmask): printed with `__get_bitmask(NAME)`. */
export const bitmask = <T extends readonly unknown[]>(get: Get<T, ArrayLike<Int64>>): TraceField<T> =>
  dynamicArray('unsigned long', get);
