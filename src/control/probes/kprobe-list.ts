import { compareAddresses } from '../../base/address.js';
import { TRACING_MARK_WRITE } from '../../ftrace/symbols.js';
import type { TracedThreads } from '../../port/port.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';
import type { BlacklistedText, ListedKprobe } from './listed-kprobe.js';
import type { ProbeTable } from './probe-table.js';
import type { ProgramKprobes } from './program-kprobes.js';

/** What is needed of the process. */
export interface KprobeListNeeds {
  readonly table: TextTable;
  readonly tracer: ProcessTracer;
  readonly probes: ProbeTable;
  readonly programKprobes: ProgramKprobes;
  readonly threads: TracedThreads;
  obeyed(): Promise<void>;
}

/**
 * The probes of functions in the whole process, those of probe events and those that the program has registered: the files list,
 * enabled and blacklist of kprobes/, which debugfs has in the kernel.
 */
export class KprobeList {
  readonly #process: KprobeListNeeds;

  constructor(process: KprobeListNeeds) {
    this.#process = process;
  }

  /** Whether any is armed: kprobes/enabled. */
  get areArmed(): boolean {
    return this.#process.tracer.areKprobesArmed;
  }

  async setArmed(areArmed: boolean): Promise<void> {
    const { tracer, threads } = this.#process;
    if (areArmed === tracer.areKprobesArmed) return;
    for (const thread of threads.living) thread.post({ type: 'halt kprobes', isHalted: !areArmed });
    tracer.armKprobes(areArmed);
    await this.#process.obeyed();
  }

  /** In the order of their addresses. */
  async all(): Promise<readonly ListedKprobe[]> {
    const { probes, programKprobes } = this.#process;
    const all = [...(await probes.kprobes()), ...programKprobes.list()];
    return all.sort((a, b) => compareAddresses(a.address, b.address));
  }

  /** Functions without a site, and fentry's own text. */
  *blacklist(): Generator<BlacklistedText> {
    const { table, tracer } = this.#process;
    const { address, size, name, module } = TRACING_MARK_WRITE;
    yield { start: address, end: address + size, name, module };
    tracer.decode();
    for (const n of table.numbers()) {
      const { start, end, reason } = table.function(n);
      if (reason === undefined) continue;
      yield { start: table.address(n), end: table.address(n) + end - start, name: table.name(n), module: table.module(n) };
    }
  }
}
