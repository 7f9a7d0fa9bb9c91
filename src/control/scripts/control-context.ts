import type { Long } from '../../events/c-types.js';
import { traceClock } from '../../ring-buffer/index.js';
import type { ScriptContext, ScriptValues } from '../../script/script-code.js';

const NS_PER_MS = 1_000_000;

/** A fetched value of machine code that is the address of a text. A handler reads the one or the other. */
export class MachineValue {
  readonly long: Long;
  readonly text: string;

  constructor(long: Long, text: string) {
    this.long = long;
    this.text = text;
  }
}

/** What stands in the place of a text that could not be read. */
const FAULT = '(fault)';

/** The value of a record: a number, unless there is a text at that address. */
export const machineValue = (long: Long, text: string | undefined): Long | MachineValue =>
  text === undefined || text === '' || text === FAULT ? long : new MachineValue(long, text);

const longOf = (value: unknown): Long => {
  if (value instanceof MachineValue) return value.long;
  return typeof value === 'number' || typeof value === 'bigint' ? value : 0;
};

/** How handlers read what records of machine code have; those that no record has caused fetch nothing. */
const VALUES: ScriptValues = {
  integerOf(value, size, signed) {
    const long = BigInt(longOf(value));
    const cut = signed ? BigInt.asIntN(size * 8, long) : BigInt.asUintN(size * 8, long);
    return Number.isSafeInteger(Number(cut)) ? Number(cut) : cut;
  },
  stringOf: (value) => (value instanceof MachineValue ? value.text : value === undefined ? '' : String(value)),
  shownOf: (value) => String(longOf(value)),
  memberOf: () => undefined,
};

/** The command that has started a script: what `begin`, `end` and timers run as. */
export interface ScriptStarter {
  readonly pid: number;
  readonly comm: string;
}

/** A hit of machine code, of which there is a record. */
export interface RecordedHit {
  readonly cpu: number;
  readonly tid: number;
  readonly comm: string;
  /** Nanoseconds of the trace clock. */
  readonly ts: number;
  readonly functionName: string;
  readonly moduleName: string;
  readonly address: number;
}

/** What handlers find on the control thread. */
export class ControlContext implements ScriptContext {
  readonly writer = 0;
  readonly values = VALUES;
  /** What a handler runs for; undefined: it is a timer, or begins or ends the script. */
  hit: RecordedHit | undefined;
  readonly #starter: ScriptStarter;
  readonly #wall = BigInt(Date.now() * NS_PER_MS) - BigInt(traceClock());

  readonly targetPid: number;

  /** @param traced the id of the traced process */
  constructor(starter: ScriptStarter, traced: number) {
    this.#starter = starter;
    this.targetPid = traced;
  }

  get pid(): number {
    return this.hit === undefined ? this.#starter.pid : this.targetPid;
  }

  get cpu(): number {
    return this.hit?.cpu ?? 0;
  }

  tid(): number {
    return this.hit?.tid ?? this.#starter.pid;
  }

  ppid(): number {
    return process.ppid;
  }

  uid(): number {
    return process.getuid?.() ?? 0;
  }

  gid(): number {
    return process.getgid?.() ?? 0;
  }

  comm(): string {
    return this.hit?.comm ?? this.#starter.comm;
  }

  nsecs(): number {
    return this.hit?.ts ?? traceClock();
  }

  wallNsecs(): bigint {
    return this.#wall + BigInt(this.nsecs());
  }

  functionName(): string {
    return this.hit?.functionName ?? '';
  }

  moduleName(): string {
    return this.hit?.moduleName ?? '';
  }

  address(): number {
    return this.hit?.address ?? 0;
  }

  thrown(): string {
    return '';
  }

  stack(): string {
    return '';
  }
}
