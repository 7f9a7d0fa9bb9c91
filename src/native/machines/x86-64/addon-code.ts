import { CALL, CLOCK_MONOTONIC, CLOCKS, IMPORTS, LOCATED, NODE_ENTRY } from '../../addon/addon-words.js';
import { importedWordAt, SHARED_OBJECT_TEXT, writeSharedObject } from '../../elf/shared-object.js';
import { at, Label, type Memory, mem, type Register } from '../../machine/operands.js';
import { Assembler } from './assembler.js';
import { R8, R9, R10, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP } from './registers.js';

/** In the order of the calling convention; the rest goes onto the stack. */
const ARGUMENT_REGISTERS = [RDI, RSI, RDX, RCX, R8, R9];

/** Bytes of a stack frame with room for what Node-API returns. */
const FRAME = 64;

/** What is called with Node-API's environment in rbx and a frame at rsp. */
type Imported = (name: (typeof IMPORTS)[number]) => Memory;

/** The shared object of addon-words.ts for x86-64. */
export function addonFile(): Uint8Array {
  return sharedObject({
    imports: IMPORTS,
    assemble(code, imported) {
      const systemCall = emitSystemCall(code);
      const timeStamp = emitTimeStamp(code);
      const call = emitCall(code, imported as Imported);
      const readClocks = emitReadClocks(code, imported as Imported);
      const locate = emitLocate(code, imported as Imported, [systemCall, timeStamp, readClocks]);
      return { [NODE_ENTRY]: emitEntry(code, imported as Imported, { call, locate }) };
    },
  });
}

/** syscall(2) with six arguments, but returns errors as the kernel does: -errno. */
function emitSystemCall(code: Assembler): Label {
  const start = code.label();
  code.mov(RAX, RDI);
  code.mov(RDI, RSI);
  code.mov(RSI, RDX);
  code.mov(RDX, RCX);
  code.mov(R10, R8);
  code.mov(R8, R9);
  code.mov(R9, mem(RSP, 8));
  code.syscall();
  code.ret();
  return start;
}

/** The time stamp counter. */
function emitTimeStamp(code: Assembler): Label {
  const start = code.label();
  emitCounter(code);
  code.ret();
  return start;
}

/** rax becomes the time stamp counter. rdx is lost. */
function emitCounter(code: Assembler): void {
  code.rdtsc();
  code.shift('shl', RDX, 32);
  code.arithmetic('or', RAX, RDX);
}

function enter(code: Assembler): Label {
  const start = code.label();
  code.push(RBP);
  code.push(RBX);
  code.sub(RSP, FRAME + 8);
  code.mov(RBX, RDI);
  return start;
}

/** Returns undefined. */
function leave(code: Assembler): void {
  code.add(RSP, FRAME + 8);
  code.xor(RAX, RAX, 32);
  code.pop(RBX);
  code.pop(RBP);
  code.ret();
}

/** readClocks(words) */
function emitReadClocks(code: Assembler, imported: Imported): Label {
  const start = enter(code);
  emitCounter(code);
  code.mov(RBP, RAX);
  code.movImmediate(RDI, CLOCK_MONOTONIC);
  code.lea(RSI, mem(RBX, CLOCKS.SECONDS * 8));
  code.call(imported('clock_gettime'));
  emitCounter(code);
  code.mov(mem(RBX, CLOCKS.BEFORE * 8), RBP);
  code.mov(mem(RBX, CLOCKS.AFTER * 8), RAX);
  leave(code);
  return start;
}

/** Values of JavaScript that a function gets, at most two, come to [rsp + 16] and [rsp + 24]. */
function emitArguments(code: Assembler, imported: Imported): void {
  code.mov(mem(RSP, 8), 2);
  code.lea(RDX, mem(RSP, 8));
  code.lea(RCX, mem(RSP, 16));
  code.xor(R8, R8, 32);
  code.xor(R9, R9, 32);
  code.call(imported('napi_get_cb_info'));
}

/** The address of a typed array's first byte. */
function emitData(code: Assembler, imported: Imported, value: Memory, to: Register): void {
  code.mov(RDI, RBX);
  code.mov(RSI, value);
  code.xor(RDX, RDX, 32);
  code.xor(RCX, RCX, 32);
  code.lea(R8, mem(RSP, 32));
  code.xor(R9, R9, 32);
  // The seventh argument.
  code.mov(mem(RSP), 0);
  code.call(imported('napi_get_typedarray_info'));
  code.mov(to, mem(RSP, 32));
}

/** call(words) */
function emitCall(code: Assembler, imported: Imported): Label {
  const start = enter(code);
  emitArguments(code, imported);
  emitData(code, imported, mem(RSP, 16), RBX);
  const onStack = CALL.MOST_ARGUMENTS - ARGUMENT_REGISTERS.length;
  for (let i = 0; i < onStack; i++) {
    code.mov(RAX, mem(RBX, (CALL.ARGUMENTS + ARGUMENT_REGISTERS.length + i) * 8));
    code.mov(mem(RSP, i * 8), RAX);
  }
  for (const [i, register] of ARGUMENT_REGISTERS.entries()) code.mov(register, mem(RBX, (CALL.ARGUMENTS + i) * 8));
  code.xor(RAX, RAX, 32);
  code.call(mem(RBX, CALL.FUNCTION * 8));
  code.mov(mem(RBX, CALL.RESULT * 8), RAX);
  leave(code);
  return start;
}

/** locate(words, view); the functions are in the order of `LOCATED` */
function emitLocate(code: Assembler, imported: Imported, functions: readonly Label[]): Label {
  const start = enter(code);
  emitArguments(code, imported);
  emitData(code, imported, mem(RSP, 24), RBP);
  emitData(code, imported, mem(RSP, 16), RBX);
  code.mov(mem(RBX, LOCATED.VIEW * 8), RBP);
  for (const [i, label] of functions.entries()) {
    code.lea(RAX, at(label));
    code.mov(mem(RBX, (LOCATED.SYSTEM_CALL + i) * 8), RAX);
  }
  leave(code);
  return start;
}

/** The function that Node calls with its environment and the object to be filled. */
function emitEntry(code: Assembler, imported: Imported, functions: Readonly<Record<string, Label>>): Label {
  const names = Object.keys(functions).map((name) => {
    const label = code.label();
    code.append(new TextEncoder().encode(`${name}\0`));
    return [name, label] as const;
  });
  const start = new Label();
  code.align(16);
  code.bind(start);
  enter(code);
  code.mov(RBP, RSI);
  for (const [name, text] of names) {
    // napi_create_function(env, name, its length, callback, no data, result)
    code.mov(RDI, RBX);
    code.lea(RSI, at(text));
    code.movImmediate(RDX, name.length);
    code.lea(RCX, at(functions[name]!));
    code.xor(R8, R8, 32);
    code.lea(R9, mem(RSP, 8));
    code.call(imported('napi_create_function'));
    code.mov(RDI, RBX);
    code.mov(RSI, RBP);
    code.lea(RDX, at(text));
    code.mov(RCX, mem(RSP, 8));
    code.call(imported('napi_set_named_property'));
  }
  code.mov(RAX, RBP);
  code.add(RSP, FRAME + 8);
  code.pop(RBX);
  code.pop(RBP);
  code.ret();
  return start;
}

/** What a shared object consists of. */
interface SharedObjectSource {
  /** Functions of the process that loads it. */
  readonly imports: readonly string[];
  /**
   * Emits the code.
   * @param imported the word that holds an imported function's address
   * @returns the functions that it offers, by their names
   */
  readonly assemble: (code: Assembler, imported: (name: string) => Memory) => Readonly<Record<string, Label>>;
  /** The name of an offered function that the dynamic linker calls when it has loaded the object. */
  readonly init?: string;
}

/**
 * Writes a shared object for x86-64 (ELF, 64 bits) that the dynamic linker can load: no sections, an import for each function
 * that it calls, code that is independent of its place. It needs no compiler and no linker.
 */
function sharedObject({ imports, assemble, init }: SharedObjectSource): Uint8Array {
  const code = new Assembler(SHARED_OBJECT_TEXT);
  const labels = assemble(code, (name) => at(importedWord(imports, name)));
  const text = code.finish();
  const offered = Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, code.addressOf(label)]));
  return writeSharedObject({ machine: 'x86-64', imports, offered, init, text });
}

/** The words before the code that the dynamic linker fills with the addresses of what is imported. */
function importedWord(imports: readonly string[], name: string): Label {
  const index = imports.indexOf(name);
  if (index === -1) throw new Error(`${name} is not imported`);
  const label = new Label();
  label.offset = importedWordAt(index) - SHARED_OBJECT_TEXT;
  return label;
}
