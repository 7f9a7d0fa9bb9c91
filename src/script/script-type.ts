/**
 * The type of an expression: `long`, an integer of 64 bits that wraps; `string`; `value`, what a variable of the program holds
 * (`to long` and `to string` make it one of the others); `stack`, the lines of a stack, which no limit of texts cuts; `stats`, an
 * aggregate; a tuple of these.
 *
 * Globals, keys and elements of tuples of type `value` keep an integer or a text, whichever is stored: a whole number and a
 * bigint as a long (wrapped), all else as `to string` makes it. Longs and strings can be stored in them as they are. Read where
 * nothing is, they are 0.
 */
export type ScriptType = 'long' | 'string' | 'value' | 'stack' | 'stats' | TupleType;
export interface TupleType {
  readonly tuple: readonly StoredType[];
}
/** What a global, a key, or an element of a tuple can be. */
export type StoredType = Exclude<ScriptType, 'stats'>;
