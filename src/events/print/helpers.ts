import { elementsOf, fieldAccess } from '../read-fields.js';
import {
  type ArrayValue,
  type Expression,
  INT,
  integerOf,
  type PrintDialect,
  textOf,
  UNSIGNED_LONG,
  type Value,
} from './values.js';

/** An argument of a helper: an expression, or a list `{ value, "name" }`. */
export interface Argument {
  readonly expression: Expression;
  /** The name of a list's value. */
  readonly name?: Expression;
}

type Helper = (args: readonly Argument[], dialect: PrintDialect) => Expression;

const text = (value: Expression['value']): Expression => ({ type: UNSIGNED_LONG, value });

const need = (args: readonly Argument[], index: number): Expression => {
  const argument = args[index];
  if (argument === undefined) throw new Error('a helper of the print format has too few arguments');
  return argument.expression;
};

interface Named {
  readonly value: Expression;
  readonly name: Expression;
}

const namesFrom = (args: readonly Argument[], from: number): readonly Named[] =>
  args.slice(from).flatMap(({ expression, name }) => (name === undefined ? [] : [{ value: expression, name }]));

const hex = (value: bigint): string => `0x${value.toString(16)}`;
const unsigned = (value: Value): bigint => BigInt.asUintN(64, BigInt(integerOf(value)));

/** Names of the bits that are set, and what is left as a number (trace_print_flags_seq). */
const printFlags: Helper = (args) => {
  const [flags, delimiter] = [need(args, 0), need(args, 1)];
  const names = namesFrom(args, 2);
  return text((record) => {
    let left = unsigned(flags.value(record));
    const shown: string[] = [];
    for (const { value, name } of names) {
      const mask = unsigned(value.value(record));
      if (left === 0n || (left & mask) !== mask) continue;
      shown.push(textOf(name.value(record)));
      left &= ~mask;
    }
    if (left !== 0n) shown.push(hex(left));
    return shown.join(textOf(delimiter.value(record)));
  });
};

/** The name of a value, or its number (trace_print_symbols_seq). */
const printSymbolic: Helper = (args) => {
  const value = need(args, 0);
  const names = namesFrom(args, 1);
  return text((record) => {
    const wanted = unsigned(value.value(record));
    const found = names.find((named) => unsigned(named.value.value(record)) === wanted);
    return found === undefined ? hex(wanted) : textOf(found.name.value(record));
  });
};

/** Bytes that a value names, at most `count`. */
function bytesOf(value: Value, count: number): Uint8Array {
  if (typeof value !== 'object') return new Uint8Array(0);
  const { record, array } = value;
  const [start, length] = array.range(record);
  const from = record.at * 4 + start;
  return record.bytes.subarray(from, from + Math.max(0, Math.min(count, length)));
}

/** Bytes in hex (trace_print_hex_seq). */
const printHex =
  (separator: string): Helper =>
  (args) => {
    const [bytes, count] = [need(args, 0), need(args, 1)];
    return text((record) =>
      Array.from(bytesOf(bytes.value(record), Number(integerOf(count.value(record)))), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(separator),
    );
  };

/** So many elements of an array (trace_print_array_seq). */
const printArray: Helper = (args, dialect) => {
  const [elements, count, size] = [need(args, 0), need(args, 1), need(args, 2)];
  return text((record) => {
    const value = elements.value(record);
    if (typeof value !== 'object') return dialect.array([]);
    const elementSize = Number(integerOf(size.value(record)));
    const access = fieldAccess({ type: '', array: `[1]`, offset: 0, size: elementSize, signed: false }).array!;
    const all = elementsOf(record, { ...access, range: value.array.range });
    return dialect.array(all.slice(0, Number(integerOf(count.value(record)))));
  });
};

const dynamicArray: Helper = (args) => need(args, 0);

/** The bits of an array, the highest first, in hex by groups of 32 (trace_print_bitmask_seq). */
const bitmask: Helper = (args) => {
  const field = need(args, 0);
  return text((record) => {
    const digits = Array.from(bytesOf(field.value(record), Number.POSITIVE_INFINITY), (byte) =>
      byte.toString(16).padStart(2, '0'),
    );
    return digits
      .reverse()
      .join('')
      .replace(/(?<=.)(?=(?:.{8})+$)/g, ',');
  });
};

const dynamicLength: Helper = (args) => {
  const field = need(args, 0);
  return { type: INT, value: (record) => (field.value(record) as ArrayValue).array?.range(record)[1] ?? 0 };
};

const FAULT = '(fault)';

/**
 * A text that a probe has fetched, or that it could not: the kernel's records then have an empty place (print_type_string),
 * fentry's this text.
 */
const probeText =
  (quote: string): Helper =>
  (args) => {
    const field = need(args, 0);
    return text((record) => {
      const value = field.value(record);
      const isThere = typeof value === 'object' && value.array.range(value.record)[1] > 0;
      const fetched = isThere ? textOf(value) : FAULT;
      return fetched === FAULT ? FAULT : `${quote}${fetched}${quote}`;
    });
  };

/**
 * The functions that a print format may call, by name (include/trace/stages/stage3_trace_output.h), and those of lines of
 * `trace`.
 */
export const HELPERS: Readonly<Record<string, Helper>> = {
  __print_flags: printFlags,
  __print_symbolic: printSymbolic,
  __print_hex: printHex(' '),
  __print_hex_str: printHex(''),
  __print_array: printArray,
  __get_str: dynamicArray,
  __get_rel_str: dynamicArray,
  __probe_str: probeText('"'),
  __probe_value: probeText(''),
  __get_bitmask: bitmask,
  __get_dynamic_array: dynamicArray,
  __get_dynamic_array_len: dynamicLength,
};
