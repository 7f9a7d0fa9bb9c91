/**
 * The type of an expression: `long`, an integer of 64 bits that wraps; `string`; `value`, what a variable of the program holds
 * and no global keeps (`to long` and `to string` make it one of the others); `stats`, an aggregate; a tuple of these.
 */
export type ScriptType = 'long' | 'string' | 'value' | 'stats' | TupleType;
export interface TupleType {
  readonly tuple: readonly Exclude<ScriptType, 'stats' | 'value'>[];
}
