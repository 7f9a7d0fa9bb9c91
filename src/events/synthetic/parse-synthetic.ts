import { attempt } from '../../base/attempt.js';
import { type Errno, TraceError } from '../../base/errno.js';
import { kstrtoul } from '../../base/kstrto.js';
import { bytesBefore } from '../../base/utf8.js';
import { isSignedType, MAX_FIELDS, numberSize, type SyntheticEvent, type SyntheticField } from './synthetic-event.js';

/** What a definition is refused for, in the kernel's words (ERRORS in kernel/trace/trace_events_synth.c). */
export const SYNTHETIC_ERRORS = {
  BAD_NAME: 'Illegal name',
  INVALID_CMD: 'Command must be of the form: <name> field[;field] ...',
  INVALID_DYN_CMD: 'Command must be of the form: s or -:[synthetic/]<name> field[;field] ...',
  EVENT_EXISTS: 'Event already exists',
  TOO_MANY_FIELDS: 'Too many fields',
  INCOMPLETE_TYPE: 'Incomplete type',
  INVALID_TYPE: 'Invalid type',
  INVALID_FIELD: 'Invalid field',
  INVALID_ARRAY_SPEC: 'Invalid array specification',
} as const;

export type SyntheticErrorName = keyof typeof SYNTHETIC_ERRORS;

/** Throws a refusal, after noting it with a caret under the first occurrence of a word of the command. */
export type Refuse = (name: SyntheticErrorName, word?: string, errno?: Errno) => never;

/** @param log notes a refusal in the error log */
export const refuserOf =
  (command: string, log: (message: string, command: string, position: number) => void): Refuse =>
  (name, word = '', errno = 'EINVAL') => {
    log(SYNTHETIC_ERRORS[name], command, bytesBefore(command, Math.max(0, command.indexOf(word))));
    throw new TraceError(errno, SYNTHETIC_ERRORS[name]);
  };

/** Bytes of the longest text of fixed length (STR_VAR_LEN_MAX). */
const MAX_TEXT = 256n;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Bytes of `char[...]`, 0 for one of no fixed length; undefined for what the kernel refuses (synth_field_string_size). */
function textSize(type: string): number | undefined {
  const inside = /char\[([^\]]{0,3})\]$/.exec(type)?.[1];
  if (inside === undefined || type.indexOf(']') < type.length - 1) return undefined;
  if (inside === '') return 0;
  const size = attempt(() => kstrtoul(inside));
  return size === undefined || size > MAX_TEXT ? undefined : Number(size);
}

/** One field, of the words from its first on; and how many of them it took (parse_synth_field). */
function parseField(words: readonly string[], refuse: Refuse): { readonly field: SyntheticField; readonly taken: number } {
  const isUnsigned = words[0] === 'unsigned';
  if (isUnsigned && words.length < 3) refuse('INCOMPLETE_TYPE', words[0]);
  const [typeWord, nameWord] = isUnsigned ? words.slice(1) : words;
  if (nameWord === undefined) return refuse('INVALID_FIELD', typeWord);
  const bracket = nameWord.indexOf('[');
  const [name, array] = bracket < 0 ? [nameWord, ''] : [nameWord.slice(0, bracket), nameWord.slice(bracket)];
  if (!NAME.test(name)) refuse('BAD_NAME', nameWord);
  const type = `${isUnsigned ? 'unsigned ' : ''}${typeWord}${array}`;
  const taken = isUnsigned ? 3 : 2;
  const isText = type.includes('char[');
  const isStack = !isText && type.includes('long[');
  const size = isText ? textSize(type) : isStack ? 0 : (numberSize(type) ?? refuse('INVALID_TYPE', typeWord));
  if (size === undefined) return array === '' ? refuse('INVALID_TYPE', typeWord) : refuse('INVALID_ARRAY_SPEC', nameWord);
  const isDynamic = size === 0;
  const whole = isDynamic ? `__data_loc ${type}` : type;
  const field = { name, type: whole, size: isDynamic ? 8 : size, isSigned: isSignedType(whole), isText, isDynamic, isStack };
  return { field, taken };
}

/**
 * Parses the fields of a synthetic event: `TYPE NAME; TYPE NAME`; the semicolons may be left out (__create_synth_event).
 * @throws TraceError EINVAL
 */
export function parseSyntheticEvent(name: string, text: string, refuse: Refuse): SyntheticEvent {
  if (name === '') refuse('INVALID_CMD');
  if (!NAME.test(name)) refuse('BAD_NAME', name);
  const fields: SyntheticField[] = [];
  for (const part of text.split(';')) {
    let words = wordsOf(part);
    while (words.length > 0) {
      const { field, taken } = parseField(words, refuse);
      if (fields.length === MAX_FIELDS) refuse('TOO_MANY_FIELDS');
      fields.push(field);
      words = words.slice(taken);
    }
  }
  if (fields.length === 0) refuse('INVALID_CMD');
  return { name, fields };
}
