import { attempt } from '../../base/attempt.js';
import type { V8Layout } from './v8-layout.js';
import type { Words } from './words.js';

const SMI = 2 ** 32;
const WORD = 8;
/** The longest string that is read, in characters: a text of a program. */
const LONGEST = 4e6;
/** The deepest that strings of strings are followed. */
const DEPTH = 64;
/** v8::internal::StringRepresentationTag, which V8's constants name, but not under one name in all versions. */
const REPRESENTATION = { mask: 7, sequential: 0, cons: 1, external: 2, sliced: 3, thin: 5 } as const;
const ONE_BYTE = 8;
/** How many characters of a string are shown. */
const SHOWN = 200;
const ODDBALLS = ['True', 'False', 'Null', 'Undefined'] as const;
/** The most fields of a ScopeInfo that are read, and the longest name. */
const SCOPE_WORDS = 400;
const MOST_NAME = 500;
/** Where a ScopeInfo has the first variable, in versions that have the range behind variables. */
const OLD_FIRST = 3;
/** Instance types of strings are less than this. */
const FIRST_NO_STRING = 0x80;

/** A function of JavaScript, as V8 has it. */
export interface HeapFunction {
  /** '' if it has none. */
  readonly name: string;
  /** The name of its text: a path or a URL; '' for a built-in function. */
  readonly url: string;
  /** The text of its script; undefined: it cannot be read, as those of Node's own modules. */
  readonly text: string | undefined;
  /** Where in the text its parameters begin, and where it ends; undefined: not known. */
  readonly range: readonly [start: number, end: number] | undefined;
}

/** Reads objects of V8's heap in the memory of a process. Pointers have V8's tag. */
export class V8Heap {
  readonly #words: Words;
  readonly #layout: V8Layout;
  readonly #texts = new Map<number, string | undefined>();
  readonly #functions = new Map<number, HeapFunction | undefined>();

  constructor(words: Words, layout: V8Layout) {
    this.#words = words;
    this.#layout = layout;
  }

  isPointer = (word: number): boolean => word > 0 && word < 2 ** 47 && word % 2 === 1;
  isSmi = (word: number): boolean => word % SMI === 0;
  smi = (word: number): number => word / SMI;

  /** A field of an object, in a version that has one of these names. */
  field(object: number, ...names: readonly string[]): number {
    return this.#words.word(object - 1 + this.#layout.value(...names));
  }

  typeOf(object: number): number {
    const map = this.field(object, 'class_HeapObject__map__Map');
    return this.#words.uint16(map - 1 + this.#layout.value('class_Map__instance_type__uint16_t'));
  }

  isType(object: number, name: string): boolean {
    return this.isPointer(object) && attempt(() => this.typeOf(object)) === this.#layout.value(`type_${name}`);
  }

  isString(object: number): boolean {
    return this.isPointer(object) && (attempt(() => this.typeOf(object)) ?? FIRST_NO_STRING) < FIRST_NO_STRING;
  }

  /** The characters of a string, or its first ones; undefined: they are outside of V8's heap. @throws Error if it is none */
  string(object: number, most = LONGEST, depth = 0): string | undefined {
    if (depth > DEPTH) return undefined;
    const type = this.typeOf(object);
    if (type >= FIRST_NO_STRING) throw new Error('no string');
    const length = this.#words.int32(object - 1 + this.#layout.value('class_String__length__int32_t'));
    const shown = Math.min(length, most);
    switch (type & REPRESENTATION.mask) {
      case REPRESENTATION.sequential:
        return this.#characters(object, (type & ONE_BYTE) !== 0, 0, shown);
      case REPRESENTATION.thin:
        return this.string(this.field(object, 'class_ThinString__actual__String'), most, depth + 1);
      case REPRESENTATION.cons: {
        const first = this.string(this.field(object, 'class_ConsString__first__String'), most, depth + 1);
        if (first === undefined || first.length >= shown) return first;
        const second = this.string(this.field(object, 'class_ConsString__second__String'), shown - first.length, depth + 1);
        return second === undefined ? undefined : first + second;
      }
      case REPRESENTATION.sliced: {
        const from = this.smi(this.field(object, 'class_SlicedString__offset__SMI'));
        return this.string(this.field(object, 'class_SlicedString__parent__String'), from + shown, depth + 1)?.slice(from);
      }
      default:
        return undefined;
    }
  }

  #characters(object: number, isOneByte: boolean, from: number, length: number): string {
    const at = this.#layout.value(isOneByte ? 'class_SeqOneByteString__chars__char' : 'class_SeqTwoByteString__chars__char');
    const size = isOneByte ? 1 : 2;
    if (length === 0) return '';
    const bytes = this.#words.bytes(object - 1 + at + from * size, length * size);
    return bytes.toString(isOneByte ? 'latin1' : 'utf16le');
  }

  /** A value as `bt` shows it; undefined: an object, of which nothing can be said without asking the thread. */
  valueText(word: number): string | undefined {
    if (this.isSmi(word)) return String(this.smi(word));
    if (!this.isPointer(word)) return undefined;
    if (this.isString(word)) {
      const text = this.string(word, SHOWN + 1);
      return text && JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
    }
    if (this.isType(word, 'HeapNumber__HEAP_NUMBER_TYPE')) {
      return String(this.#words.bytes(word - 1 + this.#layout.value('class_HeapNumber__value__double'), WORD).readDoubleLE());
    }
    if (!this.isType(word, 'Oddball__ODDBALL_TYPE')) return undefined;
    const kind = this.smi(this.field(word, 'class_Oddball__kind__int', 'class_Oddball__kind_offset__int'));
    return ODDBALLS.find((name) => this.#layout.value(`Oddball${name}`) === kind)?.toLowerCase();
  }

  /** The function that an object is, the same for all objects of one function in the source; undefined if it is none. */
  function(object: number): HeapFunction | undefined {
    const shared = this.#sharedOf(object);
    if (shared === undefined) return undefined;
    if (!this.#functions.has(shared))
      this.#functions.set(
        shared,
        attempt(() => this.#functionOf(shared)),
      );
    return this.#functions.get(shared);
  }

  isFunction(object: number): boolean {
    return this.#sharedOf(object) !== undefined;
  }

  #sharedOf(object: number): number | undefined {
    if (!this.isPointer(object)) return undefined;
    const shared = attempt(() => this.field(object, 'class_JSFunction__shared__SharedFunctionInfo'));
    return shared !== undefined && this.isType(shared, 'SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE') ? shared : undefined;
  }

  #functionOf(shared: number): HeapFunction {
    const script = this.field(
      shared,
      'class_SharedFunctionInfo__script__Tagged_HeapObject_',
      'class_SharedFunctionInfo__script_or_debug_info__HeapObject',
    );
    const named = this.field(
      shared,
      'class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_',
      'class_SharedFunctionInfo__name_or_scope_info__Tagged_Object_',
      'class_SharedFunctionInfo__name_or_scope_info__Object',
    );
    const hasScope = this.isType(named, 'ScopeInfo__SCOPE_INFO_TYPE');
    const isScript = this.isType(script, 'Script__SCRIPT_TYPE');
    const text = isScript ? this.#textOf(script) : undefined;
    const scope = hasScope ? this.#scope(named) : undefined;
    const url = isScript ? this.field(script, 'class_Script__name__Object') : 0;
    return {
      name: scope?.name ?? (this.isString(named) ? (this.string(named) ?? '') : ''),
      url: this.isString(url) ? (this.string(url) ?? '') : '',
      text,
      range: scope?.range,
    };
  }

  #textOf(script: number): string | undefined {
    const source = this.field(script, 'class_Script__source__Object');
    if (!this.#texts.has(source)) this.#texts.set(source, this.isString(source) ? this.string(source) : undefined);
    return this.#texts.get(source);
  }

  /**
   * What a ScopeInfo says of its function (src/objects/scope-info.tq of V8): behind the names of variables, and a number for
   * each, stand the function's name, or the one that V8 has inferred, if it has one, and in older versions the range. Newer ones
   * have that before the names.
   */
  #scope(scope: number): Pick<HeapFunction, 'name' | 'range'> {
    const { value } = this.#layout;
    const words = this.#wordsOf(scope, SCOPE_WORDS);
    const count = this.smi(words[value('scopeinfo_idx_ncontextlocals')] ?? 0);
    const first = value('scopeinfo_idx_first_vars');
    // Many names are in a table of their own.
    const isTable = count > 0 && words[first] !== undefined && !this.isString(words[first]);
    const behind = words.slice(first + (isTable ? 1 : count) + count);
    const end = behind.findIndex((word) => this.isType(word, 'ScopeInfo__SCOPE_INFO_TYPE') || this.isType(word, 'Map__MAP_TYPE'));
    const rest = end < 0 ? behind : behind.slice(0, end);
    const pair = first > OLD_FIRST ? words.slice(OLD_FIRST, first) : lastPair(rest, this.isSmi);
    const names = rest.filter((word) => this.isString(word)).map((word) => this.string(word, MOST_NAME) ?? '');
    const [from, to] = pair.map(this.smi);
    const isRange = from !== undefined && to !== undefined && from >= 0 && to >= from;
    return { name: names.find((name) => name !== '') ?? '', range: isRange ? [from, to] : undefined };
  }

  /** The first fields of an object; fewer where its memory ends. */
  #wordsOf(object: number, most: number): readonly number[] {
    const words: number[] = [];
    for (let i = 0; i < most; i++) {
      const word = attempt(() => this.#words.word(object - 1 + (i + 1) * WORD));
      if (word === undefined) break;
      words.push(word);
    }
    return words;
  }
}

/** The last two of the first numbers that stand together. */
function lastPair(words: readonly number[], isSmi: (word: number) => boolean): readonly number[] {
  let begun = 0;
  for (let i = 0; i <= words.length; i++) {
    if (i < words.length && isSmi(words[i]!)) continue;
    if (i - begun >= 2) return words.slice(i - 2, i);
    begun = i + 1;
  }
  return [];
}
