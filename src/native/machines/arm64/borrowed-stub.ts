import {
  type BorrowedStub,
  DONE_WORD,
  type Patch,
  type RemoteCall,
  type RemoteFunctionCall,
  SCRATCH_BYTES,
  type StubMachine,
  type StubRequest,
} from '../../process/borrowed-stub.js';
import { branch, bytesOf, INSTRUCTION_LENGTH, LANDING_PAD, loadAddress } from './encode.js';
import { branchIfNotZero, branchTo, pair, SP, SYSTEM_CALL, vectorPair } from './instructions.js';
import { addConstant, load, loadNumber, moveRegister, store } from './short-forms.js';

const PPOLL = 73;
const SCHED_YIELD = 124;
const GETTID = 178;
const NUMBER = 8;

const WORD = 8;
const LINK = 30;
/** The saved registers lie here; results below them. */
const SAVED = 19;
/** A function's scratch memory, while it runs. */
const SCRATCH = 20;
/** The linker uses it: where code is guarded (BTI), it may jump to any landing pad. */
const FAR = 16;

/** Where the saved registers lie: x0 to x30, the flags, and whether the thread comes from the system call itself. */
const FLAGS = 31 * WORD;
const IS_AGAIN = FLAGS + WORD;
const FRAME = 272;
const READ_FLAGS = 0xd53b4200;
const WRITE_FLAGS = 0xd51b4200;

const at = (address: number, index: number): number => address + index * INSTRUCTION_LENGTH;

/** x2 and x3, x4 and x5, ... x28 and x29. */
const REST = Array.from({ length: 14 }, (_, i) => 2 + 2 * i);

const SAVE = [
  ...REST.map((one) => pair('stp', one, one + 1, SP, one * WORD)),
  store(LINK, SP, LINK * WORD),
  ...[READ_FLAGS, store(0, SP, FLAGS)],
  addConstant(SAVED, SP, 0),
];

/** All but x0 and x1, which say where to go; x16 has the address of that. */
const restoreRest = (step: number): readonly number[] => [
  addConstant(SP, SAVED, 0),
  ...[load(0, SP, FLAGS), WRITE_FLAGS],
  load(LINK, SP, LINK * WORD),
  ...REST.map((one) => pair('ldp', one, one + 1, SP, one * WORD)),
  ...loadAddress(1, step),
  load(0, SP, IS_AGAIN),
  branchTo('br', 1),
];

const BEGIN = [addConstant(SP, SP, -FRAME), pair('stp', 0, 1, SP, 0)];
const END = [pair('ldp', 0, 1, SP, 0), addConstant(SP, SP, FRAME)];

/** What is near the thread: its way to the stub, and the way back. */
interface Step {
  readonly words: readonly number[];
  /** The index of the way of those who come out of the system call, or from their own code. */
  readonly out: number;
  /** The index of the way back. */
  readonly back: number;
}

/** Jumps to anywhere take a register, which only code near the thread can give back. */
function stepAt(address: number, pc: number, stub: number): Step {
  const words = [...BEGIN, ...loadNumber(0, 1)];
  const toSave = words.length;
  words.push(0);
  const out = words.length;
  words.push(...BEGIN, ...loadNumber(0, 0));
  words[toSave] = branch('jump', at(address, toSave), at(address, words.length));
  words.push(store(0, SP, IS_AGAIN), ...loadAddress(1, stub), branchTo('br', 1));
  const back = words.length;
  words.push(LANDING_PAD);
  words.push(branchIfNotZero(64, 0, (END.length + 2) * INSTRUCTION_LENGTH));
  for (const to of [pc, pc - INSTRUCTION_LENGTH]) words.push(...END, branch('jump', at(address, words.length + END.length), to));
  return { words, out, back };
}

const STEP_WORDS = stepAt(0, 0, 0).words.length;
const STEP_BYTES = STEP_WORDS * INSTRUCTION_LENGTH;

/** Registers of 128 bits in pairs, with the floating-point unit's state and controls behind them. */
const VECTORS = Array.from({ length: 16 }, (_, i) => 2 * i);
const VECTORS_END = 32 * 16;
const [READ_FPSR, READ_FPCR, WRITE_FPSR, WRITE_FPCR] = [0xd53b4429, 0xd53b440a, 0xd51b4429, 0xd51b440a];
/** What a function may change beside its arguments and those. */
const CALL_REGISTER = 9;

/** Calls a function on a stack of its own. */
const functionCall = ({ address, args, scratch }: RemoteFunctionCall, resultBytes: number): number[] => [
  ...loadNumber(SCRATCH, scratch),
  ...loadNumber(CALL_REGISTER, scratch + SCRATCH_BYTES),
  addConstant(SP, CALL_REGISTER, 0),
  ...VECTORS.map((one) => vectorPair('stp', one, one + 1, SCRATCH, one * 16)),
  ...[READ_FPSR, READ_FPCR, store(9, SCRATCH, VECTORS_END), store(10, SCRATCH, VECTORS_END + WORD)],
  ...args.flatMap((arg, i) => loadNumber(i, arg)),
  ...loadNumber(FAR, address),
  branchTo('blr', FAR),
  ...[load(9, SCRATCH, VECTORS_END), load(10, SCRATCH, VECTORS_END + WORD), WRITE_FPSR, WRITE_FPCR],
  ...VECTORS.map((one) => vectorPair('ldp', one, one + 1, SCRATCH, one * 16)),
  addConstant(SP, SAVED, -resultBytes),
];

/** cmp w0, w1; b.ne so many bytes ahead */
const COMPARE = 0x6b01001f;
const branchIfOther = (distance: number): number => (0x54000001 | ((distance / INSTRUCTION_LENGTH) << 5)) >>> 0;

function borrowedStub({ address, step, tid, pc, isInCall, calls, last = [] }: StubRequest): BorrowedStub {
  const near = step ?? address;
  const start = step === undefined ? address + STEP_BYTES : address;
  const { words: stepWords, out, back } = stepAt(near, pc, start);
  const words: number[] = [LANDING_PAD, ...SAVE];
  const system = (nr: number): void => void words.push(...loadNumber(NUMBER, nr), SYSTEM_CALL);
  const resultBytes = Math.ceil((calls.length + last.length) / 2) * 2 * WORD;
  const pointers: { readonly at: number; readonly register: number; readonly offset: number }[] = [];
  const constants: number[] = [];
  const make = (call: RemoteCall | RemoteFunctionCall, index: number): void => {
    if ('address' in call) words.push(...functionCall(call, resultBytes));
    else {
      for (const [i, arg] of call.args.entries()) {
        if (typeof arg === 'number') words.push(...loadNumber(i, arg));
        else if ('result' in arg) words.push(addConstant(i, SAVED, -WORD * (arg.result + 1)), load(i, i));
        else {
          pointers.push({ at: words.length, register: i, offset: constants.length });
          constants.push(...arg.bytes);
          words.push(...loadAddress(i, 0));
        }
      }
      system(call.nr);
    }
    words.push(addConstant(CALL_REGISTER, SAVED, -WORD * (index + 1)), store(0, CALL_REGISTER));
  };

  system(GETTID);
  words.push(...loadNumber(1, tid), COMPARE);
  const toOthers = words.length;
  words.push(0, addConstant(SP, SAVED, -resultBytes));
  for (const [i, call] of calls.entries()) make(call, i);

  // ppoll of nothing, without end: it looks at no argument but the number of descriptors, the time and the mask.
  const done = words.length;
  words.push(...loadNumber(0, DONE_WORD), ...[1, 2, 3].flatMap((one) => loadNumber(one, 0)));
  words.push(moveRegister(4, SAVED), ...loadNumber(5, 1));
  system(PPOLL);
  const doneWait = words.length - 1;
  words.push(branch('jump', at(start, words.length), at(start, done)));
  const lastCalls = words.length;
  for (const [i, call] of last.entries()) make(call, calls.length + i);
  const leave = words.length;
  words.push(...restoreRest(at(near, back)));

  const others = words.length;
  words[toOthers] = branchIfOther((others - toOthers) * INSTRUCTION_LENGTH);
  system(SCHED_YIELD);
  const othersWait = words.length - 1;
  words.push(branch('jump', at(start, words.length), at(start, others)));

  for (const pointer of pointers) {
    const loaded = loadAddress(pointer.register, at(start, words.length) + pointer.offset);
    loaded.forEach((word, i) => void (words[pointer.at + i] = word));
  }
  const jumpTo = (from: number, to: number): Uint8Array => bytesOf([branch('jump', from, to)]);
  const leaveBy = (from: number, to: number): Patch => ({
    address: at(start, from),
    bytes: jumpTo(at(start, from), at(start, to)),
  });
  const body = [...bytesOf(words), ...constants];
  const code =
    step === undefined
      ? [{ address, bytes: Uint8Array.from([...bytesOf(stepWords), ...body]) }]
      : [
          { address, bytes: Uint8Array.from(body) },
          { address: step, bytes: bytesOf(stepWords) },
        ];
  // The system may run the system call again: from there, the thread goes back to it.
  const again = isInCall ? jumpTo(pc - INSTRUCTION_LENGTH, near) : [];
  const entry = Uint8Array.from([...again, ...jumpTo(pc, at(near, out))]);
  return {
    code,
    entry: { address: pc - again.length, bytes: entry },
    release: [leaveBy(doneWait, lastCalls), leaveBy(othersWait, leave)],
  };
}

/** How arm64 borrows a thread. */
export const arm64Stubs: StubMachine = {
  syscall: bytesOf([SYSTEM_CALL]),
  jumpBytes: INSTRUCTION_LENGTH,
  stepBytes: STEP_BYTES,
  isOneInstruction: true,
  doneArguments: { word: 0, results: 4, one: 5 },
  borrowedStub,
};
