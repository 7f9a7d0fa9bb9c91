import type { RegisterParameter } from '../base/register-parameter.js';
import { ENTRY_RESUMED, EXIT_REGISTER, EXIT_SUSPENDED, EXIT_UNWOUND } from '../events/ftrace-events.js';
import { parameterText, REGISTER_ARGUMENTS, type RegisterParameters } from '../events/register-arguments.js';
import type { TraceRecord } from './record.js';
import { storedText } from './stored-text.js';
import { TraceSeq } from './trace-seq.js';

/** More than six registers take. */
const REGISTERS_TEXT = 256;
const NOTHING = new Uint8Array(0);
const EQUALS = 0x3d;
const COMMA = storedText(', ');
const UNWOUND = storedText(' unwound');
const SUSPENDED = storedText(' suspended');
const RETURN = storedText(' ret=');

function registersAt(bytes: Uint8Array, count: number): readonly bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const whole = Math.min(count, Math.floor(bytes.length / WORD));
  return Array.from({ length: whole }, (_, i) => view.getBigUint64(i * WORD, true));
}

/** `id=7, name=0x5566`; of a function whose parameters are not known all registers. */
function registersText(values: readonly bigint[], parameters: readonly RegisterParameter[] | undefined): string {
  if (parameters === undefined) return values.map((value) => hexText(value)).join(', ');
  return parameters
    .map((one) => {
      const value = one.register === undefined ? undefined : values[one.register];
      return `${one.name}=${value === undefined ? '?' : parameterText(value, one)}`;
    })
    .join(', ');
}

/**
 * What fentry appended to an entry or a function event (events/ftrace-events), as positions in the memory, which stay valid
 * after the cursor's next step.
 */
export class AppendedEntry {
  #bytes: Uint8Array = NOTHING;
  #at = 0;
  #end = 0;
  #flags = 0;
  /** Where the text of the arguments is put together: there are many calls. */
  readonly #text = new TraceSeq(REGISTERS_TEXT);

  /** Takes the record's bytes from `from` (its fixed part's end) on; `hasFlags`: they begin with a byte of flags. */
  take(record: TraceRecord, from: number, hasFlags: boolean): void {
    this.#bytes = record.bytes;
    this.#at = record.at * 4 + from;
    this.#end = record.at * 4 + record.size;
    this.#flags = hasFlags && this.#at < this.#end ? record.bytes[this.#at++]! : 0;
  }

  /** Prints the arguments: `1, "x"`, and `limit=1, text="x"` if the names of the parameters are known. */
  printArguments(seq: TraceSeq, params: readonly string[] | undefined, registers?: RegisterParameters): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    const count = at < end ? bytes[at++]! : 0;
    if ((count & REGISTER_ARGUMENTS) !== 0) {
      const values = registersAt(bytes.subarray(Math.ceil(at / 4) * 4, end), count & ~REGISTER_ARGUMENTS);
      seq.text(registersText(values, registers?.()));
      return;
    }
    for (let i = 0; i < count && at < end; i++) {
      if (i > 0) seq.put(COMMA);
      const name = params?.[i];
      if (name !== undefined) {
        seq.text(name);
        seq.byte(EQUALS);
      }
      const length = Math.min(bytes[at++]!, end - at);
      seq.putRange(bytes, at, length);
      at += length;
    }
  }

  /** The arguments as a text, without names. */
  get arguments(): string {
    if (this.#at >= this.#end || this.#bytes[this.#at] === 0) return '';
    const seq = this.#text;
    seq.length = 0;
    this.printArguments(seq, undefined);
    return seq.toString();
  }

  /** What the parts of a coroutine's call have in common: the lower word of its time. Undefined: it is none, or not recorded. */
  get activation(): number | undefined {
    return this.isResumed ? activationAt(this.#bytes, this.#at - 1, this.#end) : undefined;
  }

  /** Whether it resumed after it was suspended. */
  get isResumed(): boolean {
    return (this.#flags & ENTRY_RESUMED) !== 0;
  }
}

/** The word that follows one with flags alone. */
function activationAt(bytes: Uint8Array, flags: number, end: number): number | undefined {
  const at = flags + 4;
  if (at + 4 > end) return undefined;
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** What fentry appended to an exit: how the function ended, and what it returned. */
export class AppendedExit {
  readonly #isHex: boolean;
  #bytes: Uint8Array = NOTHING;
  #at = 0;
  #end = 0;
  #length = 0;
  #flags = 0;

  /** @param isHex what a register has is shown in hexadecimal, also if it may be an error number */
  constructor(isHex = false) {
    this.#isHex = isHex;
  }

  /** Takes the record's bytes from `from` (the kernel's part's end) on. */
  take(record: TraceRecord, from: number): void {
    const at = record.at * 4 + from;
    const end = record.at * 4 + record.size;
    this.#bytes = record.bytes;
    this.#flags = at < end ? record.bytes[at]! : 0;
    this.#at = at + 2;
    this.#end = end;
    this.#length = at + 1 < end ? Math.min(record.bytes[at + 1]!, end - at - 2) : 0;
  }

  /** Whether the function awaits or yields: it will come back. */
  get isSuspended(): boolean {
    return (this.#flags & EXIT_SUSPENDED) !== 0;
  }

  /** What a coroutine that is suspended has in common with its other parts: see AppendedEntry. */
  get activation(): number | undefined {
    return this.isSuspended ? activationAt(this.#bytes, this.#at - 2, this.#end) : undefined;
  }

  /** `42`: the result. */
  get value(): string {
    if (this.#length === 0) return '';
    const { buffer, byteOffset } = this.#bytes;
    if (this.#isRegister) {
      const bits = Buffer.from(buffer, byteOffset + this.#at, WORD).readBigUInt64LE();
      return this.#isHex ? hexText(bits) : registerText(bits);
    }
    return Buffer.from(buffer, byteOffset + this.#at, this.#length).toString('utf8');
  }

  /** Whether `print` prints something. */
  isPrinted(withResult: boolean): boolean {
    return (withResult && this.#length > 0) || (this.#flags & (EXIT_UNWOUND | EXIT_SUSPENDED)) !== 0;
  }

  /** Prints what stands inside the comment: ` suspended`, ` ret=42`. */
  print(seq: TraceSeq, withResult: boolean): void {
    if ((this.#flags & EXIT_UNWOUND) !== 0) seq.put(UNWOUND);
    else if (this.isSuspended) seq.put(SUSPENDED);
    if (!withResult || this.#length === 0) return;
    seq.put(RETURN);
    if (this.#isRegister) seq.text(this.value);
    else seq.putRange(this.#bytes, this.#at, this.#length);
  }

  get #isRegister(): boolean {
    return (this.#flags & EXIT_REGISTER) !== 0 && this.#length === WORD;
  }
}

const WORD = 8;
/** The largest errno. */
const MAX_ERRNO = 4095n;

/** What a register has as funcgraph-retval shows it: an error number if it may be one, of 32 bits too, else in hexadecimal. */
function registerText(bits: bigint): string {
  const value = BigInt.asIntN(bits >> 32n === 0n ? 32 : 64, bits);
  return value < 0n && value >= -MAX_ERRNO ? String(value) : hexText(bits);
}

const hexText = (bits: bigint): string => `0x${bits.toString(16)}`;
