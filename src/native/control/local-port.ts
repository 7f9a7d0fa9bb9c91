import { readFileSync } from 'node:fs';
import { TraceError } from '../../base/errno.js';
import type { PortCommand, PortListener, TracedThread } from '../../port/port.js';
import { CALL } from '../addon/addon-words.js';
import { BLOCK } from '../code/arena.js';
import { processMachine } from '../machines/process-machine.js';
import { threadName } from '../process/tasks.js';
import { mappedFunction } from './mapped-function.js';
import { NativePort } from './native-port.js';
import type { NativeTarget } from './native-target.js';
import type { NativeThread } from './native-thread.js';

/** Where V8 is: in the executable, or in a library. */
const hasV8 = (path: string): boolean => path === process.execPath || /\/libnode\.so[^/]*$/.test(path);
/** v8::V8::SetReturnAddressLocationResolver(unsigned long (*)(unsigned long)) */
const SET_RESOLVER = '_ZN2v82V832SetReturnAddressLocationResolverEPFmmE';
/** v8::Isolate::GetCurrent() */
const CURRENT_ISOLATE = '_ZN2v87Isolate10GetCurrentEv';
/**
 * node::AddEnvironmentCleanupHook(v8::Isolate*, void (*)(void*), void*): the function is called on the thread before its memory
 * of JavaScript is freed.
 */
const ADD_HOOK = '_ZN4node25AddEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_';
/** How often it is seen which objects the program has loaded, in milliseconds. */
const LOOK = 250;

/** The lines of /proc/self/maps of texts that lie in files. */
const executableObjects = (): string =>
  readFileSync('/proc/self/maps', 'latin1')
    .match(/^.* r-xp .* \/.*$/gm)
    ?.join('\n') ?? '';

/** A call of a function, as the addon takes it. */
function callOf(address: number, ...args: readonly number[]): BigUint64Array {
  const words = new BigUint64Array(CALL.WORDS);
  words[CALL.FUNCTION] = BigInt(address);
  for (const [i, argument] of args.entries()) words[CALL.ARGUMENTS + i] = BigInt(argument);
  return words;
}

/** The port to this process's own machine code, beside one to the JavaScript that runs in it (src/port/joined-port.ts). */
export class LocalPort extends NativePort {
  /** The cpus of native text of the threads that run JavaScript, by these threads' cpus. */
  readonly #joined = new Map<number, NativeThread>();
  /** The path of a file that has the addon: program threads load it, too. */
  readonly #addon: string;
  readonly #isolate: number;
  readonly #addHook: number;
  #objects = executableObjects();

  constructor(target: NativeTarget, listener: PortListener) {
    super(target, listener, () => {});
    this.#addon = `/proc/self/fd/${target.local.memoryFile(processMachine.addonFile())}`;
    this.#isolate = this.#inNode(CURRENT_ISOLATE);
    this.#addHook = this.#inNode(ADD_HOOK);
    this.#ignoreItself();
    this.#tellV8();
    this.#closeAtEnd();
    setInterval(() => {
      const before = this.#objects;
      this.#objects = executableObjects();
      if (this.#objects !== before) listener.announced();
    }, LOOK).unref();
  }

  /** The numbers and addresses of functions of JavaScript, whose exits native text may record. */
  describe(firstFunction: number, addresses: readonly number[]): void {
    this.target.arena.setFunctions(firstFunction, addresses);
  }

  /**
   * A thread that runs JavaScript has started: its native text gets a cpu of its own.
   * @returns that, and the command by which the thread takes it; undefined: there is no cpu any more
   */
  join(script: TracedThread): { readonly thread: TracedThread; readonly command: PortCommand } | undefined {
    const { cpu, tid } = script;
    const { pid, arena } = this.target;
    const comm = threadName(pid, tid);
    const known = this.#joined.get(cpu);
    const thread = known ?? this.threads.add(tid, comm);
    if (thread === undefined) return undefined;
    if (known !== undefined) {
      arena.clear(known.block);
      this.threads.take(known, tid, comm);
    }
    this.#joined.set(cpu, thread);
    thread.script = script;
    const calls = { call: this.#bindCall(thread.block), counter: callOf(this.targets.counter), isolate: callOf(this.#isolate) };
    const atEnd = callOf(this.#addHook, 0, this.targets.unbind, arena.block(thread.block));
    return { thread, command: { type: 'native', file: this.#addon, ...calls, atEnd } };
  }

  /** Nothing that this thread calls is recorded: it is fentry's own. */
  #ignoreItself(): void {
    const { arena, local } = this.target;
    const block = arena.layout.threads - 1;
    arena.setWord(arena.block(block) + BLOCK.IGNORED, 1);
    local.call(this.targets.bind, arena.block(block));
  }

  /** V8 walks stacks by return addresses, at each garbage collection and for each Error. */
  #tellV8(): void {
    const { returnAddress } = this.targets;
    if (returnAddress === 0) return;
    this.target.local.call(this.#inNode(SET_RESOLVER), returnAddress);
  }

  /** The rings are memory of this thread's JavaScript, and other threads call native functions after its end. */
  #closeAtEnd(): void {
    const { local, arena } = this.target;
    local.call(this.#addHook, local.call(this.#isolate), this.targets.close, arena.start);
  }

  /** The address of a function of Node or V8. @throws TraceError EOPNOTSUPP */
  #inNode(symbol: string): number {
    const address = mappedFunction(this.target.pid, hasV8, symbol);
    if (address === undefined) throw new TraceError('EOPNOTSUPP', `no object of this process has ${symbol}`);
    return address;
  }

  /** The call of `bind`, as the addon takes it; the thread puts the addresses of its shadow stack behind that of the block. */
  #bindCall(block: number): BigUint64Array {
    return callOf(this.targets.bind, this.target.arena.block(block));
  }
}

export { localTarget } from './native-target.js';
