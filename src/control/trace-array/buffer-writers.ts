import type { Port, TracedThread, TracedThreads } from '../../port/port.js';
import { type ClockReading, clockReading, isClockInNs, type TraceClock, TSC, traceClock } from '../../ring-buffer/index.js';
import { ControlWriter } from './control-writer.js';
import { InstanceSnapshot } from './instance-snapshot.js';
import type { Movers, ThreadBuffers } from './thread-buffers.js';

/** What the writers of an instance need of the process. */
export interface WriterNeeds {
  readonly threads: Pick<TracedThreads, 'living' | 'get'>;
  readonly port: Pick<Port, 'counter' | 'timeStamps' | 'useCheapestClock'>;
  /** Resolves when every thread has done what it was told. */
  obeyed(): Promise<void>;
}

/** The writers of an instance's buffers (the program's threads and the control thread itself), and what each of them is told. */
export class BufferWriters {
  readonly #process: WriterNeeds;
  readonly #instance: number;
  readonly #buffers: ThreadBuffers;
  /** The memory of the instance's InstanceSwitch. */
  readonly #words: SharedArrayBuffer;
  /** The control thread's. */
  readonly control: ControlWriter;
  readonly snapshot: InstanceSnapshot;
  #isUsed = false;
  #clock: TraceClock = 'local';
  #reading: ClockReading | undefined;

  constructor(process: WriterNeeds, instance: number, buffers: ThreadBuffers, words: SharedArrayBuffer) {
    this.#process = process;
    this.#instance = instance;
    this.#buffers = buffers;
    this.#words = words;
    this.control = new ControlWriter(buffers, (ring) => this.snapshot.giveControlSpare(ring));
    this.snapshot = new InstanceSnapshot({
      number: instance,
      buffers,
      threads: () => (this.#isUsed ? process.threads.living : []),
      control: () => this.control.rings,
      obeyed: () => process.obeyed(),
    });
  }

  /** Something may be recorded from now on: the buffers allocate their memory. */
  use(): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#process.port.useCheapestClock?.();
    for (const thread of this.#process.threads.living) this.#give(thread);
  }

  addThread(thread: TracedThread): void {
    if (this.#isUsed) this.#give(thread);
  }

  /** Switches the records to another clock; those in the snapshot's memory are dropped. */
  setClock(clock: TraceClock): Promise<void> {
    this.#clock = clock;
    const { port } = this.#process;
    this.#reading = clockReading(clock, port.counter, clock === TSC ? port.timeStamps.begin?.() : undefined);
    const command = { type: 'clock', instance: this.#instance, clock } as const;
    if (this.#isUsed) for (const thread of this.#process.threads.living) thread.post(command);
    this.control.setReading(this.#reading);
    return this.snapshot.renew();
  }

  get clock(): TraceClock {
    return this.#clock;
  }

  /** Whether its times are nanoseconds. */
  get isClockInNs(): boolean {
    return isClockInNs(this.#clock);
  }

  /** What the clock shows now. */
  now(): number {
    const ns = traceClock();
    return this.#reading?.(ns) ?? ns;
  }

  /** Functions that make the writers of a cpu's rings move to another memory. */
  readonly movers: Movers = {
    thread: (cpu) => {
      const thread = this.#process.threads.get(cpu);
      return thread && ((buffer, half) => thread.send({ type: 'resize', instance: this.#instance, half, buffer }));
    },
    control: (cpu) => this.control.moverOf(cpu),
  };

  #give(thread: TracedThread): void {
    const instance = this.#instance;
    thread.post({ type: 'buffer', instance, buffer: this.#buffers.memory(thread.cpu), words: this.#words });
    if (this.#buffers.hasSnapshot) this.snapshot.giveSpare(thread);
    if (this.#reading !== undefined) thread.post({ type: 'clock', instance, clock: this.#clock });
  }
}
