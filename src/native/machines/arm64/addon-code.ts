import { CALL, CLOCK_MONOTONIC, CLOCKS, IMPORTS, LOCATED, NODE_ENTRY } from '../../addon/addon-words.js';
import { importedWordAt, SHARED_OBJECT_TEXT, writeSharedObject } from '../../elf/shared-object.js';
import { bytesOf, INSTRUCTION_LENGTH, LANDING_PAD, wordsOf } from './encode.js';
import { branchTo, loadLiteral, pair, SP, SYSTEM_CALL } from './instructions.js';
import { addConstant, load, loadNumber, moveRegister, RETURN, store } from './short-forms.js';

const WORD = 8;
const NUMBER = 8;
/** Node-API's environment, then what a function works on; and one more. */
const [FIRST, SECOND] = [19, 20];
const FAR = 16;

/** The stack of a function: saved registers, how many values it gets, two values, what Node-API returns. */
const FRAME = { COUNT: 32, VALUES: 40, DATA: 56, BYTES: 80 } as const;
/** stp x29, x30, [sp, #-80]! and ldp x29, x30, [sp], #80 */
const [PUSH_FRAME, POP_FRAME] = [0xa9bb7bfd, 0xa8c57bfd];
/** isb; mrs x0, cntvct_el0: not read before what comes before it. */
const READ_COUNTER = [0xd5033fdf, 0xd53be040];

type Imported = (typeof IMPORTS)[number];

/** Words of the addon's text. A position in them is an index. */
class AddonText {
  readonly words: number[] = [];

  get here(): number {
    return this.words.length;
  }

  /** Counted from the beginning of the shared object. */
  addressOf(position: number): number {
    return SHARED_OBJECT_TEXT + position * INSTRUCTION_LENGTH;
  }

  emit(...words: readonly number[]): void {
    this.words.push(...words);
  }

  /** The address of a position before. */
  address(register: number, position: number): void {
    const distance = (position - this.here) * INSTRUCTION_LENGTH;
    this.emit((0x10000000 | (((distance >> 2) & 0x7ffff) << 5) | register) >>> 0);
  }

  call(name: Imported): void {
    this.emit(loadLiteral(FAR, importedWordAt(IMPORTS.indexOf(name)) - this.addressOf(this.here)), branchTo('blr', FAR));
  }

  /** Begins a function of Node-API. */
  enter(): number {
    const start = this.here;
    this.emit(LANDING_PAD, PUSH_FRAME, addConstant(29, SP, 0), pair('stp', FIRST, SECOND, SP, 16), moveRegister(FIRST, 0));
    return start;
  }

  leave(): void {
    this.emit(pair('ldp', FIRST, SECOND, SP, 16), POP_FRAME, RETURN);
  }

  /** Values of JavaScript that a function gets, at most two. */
  values(): void {
    this.emit(...loadNumber(9, 2), store(9, SP, FRAME.COUNT), addConstant(2, SP, FRAME.COUNT), addConstant(3, SP, FRAME.VALUES));
    this.emit(...loadNumber(4, 0), ...loadNumber(5, 0));
    this.call('napi_get_cb_info');
  }

  /** The address of the first byte of a typed array, which is a value. */
  data(value: number, to: number): void {
    this.emit(moveRegister(0, FIRST), load(1, SP, FRAME.VALUES + value * WORD), addConstant(4, SP, FRAME.DATA));
    this.emit(...[2, 3, 5, 6].flatMap((register) => loadNumber(register, 0)));
    this.call('napi_get_typedarray_info');
    this.emit(load(to, SP, FRAME.DATA));
  }

  text(name: string): number {
    const start = this.here;
    const bytes = Buffer.alloc(Math.ceil((name.length + 1) / INSTRUCTION_LENGTH) * INSTRUCTION_LENGTH);
    bytes.write(name);
    this.emit(...wordsOf(bytes));
    return start;
  }
}

/** The shared object of addon/addon-words.ts for arm64. */
export function addonFile(): Uint8Array {
  const code = new AddonText();

  const systemCall = code.here;
  code.emit(LANDING_PAD, moveRegister(NUMBER, 0), ...[0, 1, 2, 3, 4, 5].map((register) => moveRegister(register, register + 1)));
  code.emit(SYSTEM_CALL, RETURN);

  const counter = code.here;
  code.emit(LANDING_PAD, ...READ_COUNTER, RETURN);

  const readClocks = code.enter();
  code.emit(...READ_COUNTER, moveRegister(SECOND, 0));
  code.emit(...loadNumber(0, CLOCK_MONOTONIC), addConstant(1, FIRST, CLOCKS.SECONDS * WORD));
  code.call('clock_gettime');
  code.emit(...READ_COUNTER, store(SECOND, FIRST, CLOCKS.BEFORE * WORD), store(0, FIRST, CLOCKS.AFTER * WORD));
  code.leave();

  const call = code.enter();
  code.values();
  code.data(0, FIRST);
  code.emit(...Array.from({ length: CALL.MOST_ARGUMENTS }, (_, i) => load(i, FIRST, (CALL.ARGUMENTS + i) * WORD)));
  code.emit(load(FAR, FIRST, CALL.FUNCTION * WORD), branchTo('blr', FAR), store(0, FIRST, CALL.RESULT * WORD));
  code.emit(...loadNumber(0, 0));
  code.leave();

  const locate = code.enter();
  code.values();
  code.data(1, SECOND);
  code.data(0, FIRST);
  code.emit(store(SECOND, FIRST, LOCATED.VIEW * WORD));
  for (const [position, word] of [
    [systemCall, LOCATED.SYSTEM_CALL],
    [counter, LOCATED.TIME_STAMP],
    [readClocks, LOCATED.READ_CLOCKS],
  ] as const) {
    code.address(9, position);
    code.emit(store(9, FIRST, word * WORD));
  }
  code.emit(...loadNumber(0, 0));
  code.leave();

  const functions = { call, locate };
  const names = Object.keys(functions).map((name) => code.text(name));
  const entry = code.enter();
  code.emit(moveRegister(SECOND, 1));
  for (const [i, [name, position]] of Object.entries(functions).entries()) {
    // napi_create_function(env, name, its length, callback, no data, result)
    code.emit(moveRegister(0, FIRST), ...loadNumber(2, name.length), ...loadNumber(4, 0), addConstant(5, SP, FRAME.DATA));
    code.address(1, names[i]!);
    code.address(3, position);
    code.call('napi_create_function');
    code.emit(moveRegister(0, FIRST), moveRegister(1, SECOND), load(3, SP, FRAME.DATA));
    code.address(2, names[i]!);
    code.call('napi_set_named_property');
  }
  code.emit(moveRegister(0, SECOND));
  code.leave();
  const offered = { [NODE_ENTRY]: code.addressOf(entry) };
  return writeSharedObject({ machine: 'arm64', imports: IMPORTS, offered, text: bytesOf(code.words) });
}
