import { compareAddresses } from '../../base/address.js';
import { TRACING_MARK_WRITE } from '../../ftrace/symbols.js';
import type { TracedThreads } from '../../port/port.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';
import type { BlacklistedText, KprobeList, ListedKprobe } from './kprobe-list.js';
import type { ProbeTable } from './probe-table.js';
import type { ProgramKprobes } from './program-kprobes.js';

/** What is needed of the process. */
export interface KprobeListNeeds {
  readonly table: TextTable;
  readonly tracer: ProcessTracer;
  readonly probes: ProbeTable;
  readonly kprobes: ProgramKprobes;
  readonly threads: TracedThreads;
  obeyed(): Promise<void>;
}

/** The files of kprobes/ that debugfs has in the kernel: list, enabled, blacklist. */
export class ProcessKprobeList implements KprobeList {
  readonly #process: KprobeListNeeds;

  constructor(process: KprobeListNeeds) {
    this.#process = process;
  }

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

  async all(): Promise<readonly ListedKprobe[]> {
    const { probes, kprobes } = this.#process;
    const all = [...(await probes.kprobes()), ...kprobes.list()];
    return all.sort((a, b) => compareAddresses(a.address, b.address));
  }

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
