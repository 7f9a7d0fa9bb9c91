import { type HistAttributes, MAX_VARS } from './hist-attributes.js';
import {
  type Definition,
  FIELD,
  type HistData,
  type HistField,
  type HistScope,
  has,
  newField,
  type SortKey,
  STACK_DEPTH,
  TEXT_BYTES,
} from './hist-data.js';
import { type HistErrors, refused } from './hist-errors.js';
import type { HistEvent } from './hist-event.js';
import { fieldName, usesVariables } from './hist-field.js';
import { leftOf } from './operators.js';
import { parseActions } from './parse-actions.js';
import { parseExpression } from './parse-expression.js';
import { asExecname, createField } from './parse-field.js';
import { variableBeside } from './variables.js';

/** Keys, and values with the hitcount (TRACING_MAP_KEYS_MAX, TRACING_MAP_VALS_MAX). */
const MAX_KEYS = 3;
const MAX_VALUES = 3;
const MAX_SORT_KEYS = 2;
/**
 * Bytes of all keys that have a size of their own (HIST_KEY_SIZE_MAX). The kernel counts texts of any length too, so that it
 * refuses two of them: it builds the key on its stack. Here two paths or two names are an ordinary question.
 */
const MAX_KEY_BYTES = TEXT_BYTES + STACK_DEPTH * 8;

/** Modifiers that make no sense for a variable, and for a value. */
const NOT_FOR_VARIABLES = FIELD.GRAPH | FIELD.PERCENT | FIELD.BUCKET | FIELD.LOG2;
const NOT_FOR_VALUES = FIELD.BUCKET | FIELD.LOG2 | FIELD.SYM | FIELD.SYM_OFFSET | FIELD.SYSCALL | FIELD.STACKTRACE;

export interface WantedHist {
  readonly event: HistEvent;
  readonly attributes: HistAttributes;
  readonly errors: HistErrors;
  readonly scope: HistScope;
  readonly isRemoval: boolean;
}

/**
 * Parses the parts of a hist trigger for an event (create_hist_data). Its actions are not created yet.
 * @throws TraceError
 */
export function createHistData(wanted: WantedHist): HistData {
  const data: HistData = {
    ...wanted,
    definitions: [],
    values: [],
    keys: [],
    sortKeys: [],
    keySize: 0,
    variables: 0,
    references: [],
    actions: [],
    fieldVariables: [],
    saved: [],
    nested: [],
    usesTimestamps: false,
    inMicroseconds: false,
  };
  parseActions(data);
  data.definitions = parseDefinitions(data);
  createValues(data);
  for (const definition of data.definitions) {
    const { name, text } = definition;
    // The kernel's parser cuts the text at its first operator before it looks at what follows: `$name` stands for what is left,
    // in the expression itself too.
    definition.text = leftOf(text);
    createVariable(data, name, text);
  }
  createKeys(data);
  data.definitions = [];
  data.sortKeys = parseSortKeys(data);
  for (const field of data.values) if (has(field, FIELD.VAR)) field.varIndex = data.variables++;
  return data;
}

/** Names and texts of the variables (parse_var_defs). */
function parseDefinitions({ attributes, errors }: HistData): Definition[] {
  const definitions: Definition[] = [];
  for (const assignment of attributes.assignments) {
    for (const part of assignment.split(',').slice(0, MAX_VARS)) {
      const equals = part.indexOf('=');
      const name = equals < 0 ? part : part.slice(0, equals);
      if (equals < 0) errors.refuse('MALFORMED_ASSIGNMENT', name);
      if (definitions.length === MAX_VARS) errors.refuse('TOO_MANY_VARS', name);
      definitions.push({ name, text: part.slice(equals + 1) });
    }
  }
  return definitions;
}

function createValue(data: HistData, text: string, flags: number, varName?: string): HistField {
  const field = parseExpression(data, text, flags, varName);
  if (has(field, has(field, FIELD.VAR) ? NOT_FOR_VARIABLES : NOT_FOR_VALUES)) {
    data.errors.refuse('BAD_FIELD_MODIFIER', leftOf(text));
  }
  data.values.push(field);
  return field;
}

/** The hitcount, and the values that are named (create_val_fields). */
function createValues(data: HistData): void {
  const { attributes, errors, values } = data;
  values.push(createField(data, FIELD.HITCOUNT));
  const texts = attributes.values?.split(',') ?? [];
  let next = 0;
  for (; next < texts.length && next < MAX_VALUES && values.length < MAX_VALUES; next++) {
    if (texts[next] !== 'hitcount') createValue(data, texts[next]!, 0);
  }
  if (next < texts.length && texts.slice(next).join(',') !== 'hitcount') {
    refused('EINVAL', `a hist trigger has at most ${MAX_VALUES} values with the hitcount`);
  }
  if (values.length === 1 && attributes.noHitcount) errors.refuse('NEED_NOHC_VAL', '', 'ENOENT');
}

function createVariable(data: HistData, name: string, text: string): void {
  if (variableBeside(data, name) !== undefined && !data.isRemoval) data.errors.refuse('DUPLICATE_VAR', name);
  asExecname(createValue(data, text, FIELD.VAR, name));
}

function createKey(data: HistData, text: string): HistField {
  if (text === 'stacktrace') {
    const stack = newField(data, FIELD.KEY | FIELD.STACKTRACE);
    stack.size = STACK_DEPTH * 8;
    return stack;
  }
  const field = parseExpression(data, text, FIELD.KEY);
  if (usesVariables(field)) data.errors.refuse('INVALID_REF_KEY', leftOf(text));
  field.size = Math.ceil(field.size / 8) * 8;
  return field;
}

const isOfAnyLength = ({ flags, field }: HistField): boolean => (flags & FIELD.STRING) !== 0 && field?.text !== 'fixed';

function createKeys(data: HistData): void {
  const texts = data.attributes.keys.split(',');
  let sized = 0;
  for (const text of texts.slice(0, MAX_KEYS)) {
    const field = createKey(data, text);
    field.offset = data.keySize;
    data.keySize += field.size;
    if (!isOfAnyLength(field)) sized += field.size;
    if (sized > MAX_KEY_BYTES) refused('EINVAL', `the keys have more than ${MAX_KEY_BYTES} bytes, without texts of any length`);
    data.keys.push(field);
  }
  if (texts.length > MAX_KEYS) refused('EINVAL', `a hist trigger has at most ${MAX_KEYS} keys`);
}

/** create_sort_keys */
function parseSortKeys(data: HistData): SortKey[] {
  const { attributes, errors } = data;
  if (attributes.sort === undefined) return [{ index: 0, descending: false }];
  const texts = attributes.sort.split(',');
  return texts.slice(0, MAX_SORT_KEYS).map((text, i) => {
    if (text === '') errors.refuse('EMPTY_SORT_FIELD', 'sort=');
    if (i === MAX_SORT_KEYS - 1 && texts.length > MAX_SORT_KEYS) errors.refuse('TOO_MANY_SORT_FIELDS', 'sort=');
    const dot = text.indexOf('.');
    const name = dot < 0 ? text : text.slice(0, dot);
    if (name === '') errors.refuse('EMPTY_SORT_FIELD', 'sort=');
    const index = name === 'hitcount' ? 0 : sortIndex(data, name);
    return { index, descending: dot >= 0 && isDescending(text.slice(dot + 1), errors) };
  });
}

function sortIndex({ values, keys, errors }: HistData, name: string): number {
  const sortable = [...values.filter((field) => !has(field, FIELD.VAR)), ...keys];
  const index = sortable.findIndex((field, i) => i > 0 && fieldName(field) === name);
  return index < 0 ? errors.refuse('INVALID_SORT_FIELD', name) : index;
}

function isDescending(modifier: string, errors: HistErrors): boolean {
  if (modifier !== 'descending' && modifier !== 'ascending') errors.refuse('INVALID_SORT_MODIFIER', modifier);
  return modifier === 'descending';
}
