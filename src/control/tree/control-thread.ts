import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../base/attempt.js';
import { listens } from '../../base/listens.js';
import { nextTurn } from '../../base/next-turn.js';
import { say } from '../../base/say.js';
import { makeSocketDirectory, pidOfSocket, processExists } from '../../base/socket-directory.js';
import { DEFAULT_OPTIONS } from '../../ftrace/options.js';
import { consoleLine } from '../../output/console-line.js';
import type { ControlData } from '../../port/control-data.js';
import type { ControlState } from '../../port/control-state.js';
import { asksForEvents, type Parameters } from '../../port/parameters.js';
import type { CreatePort } from '../../port/port.js';
import { hasEnded } from '../../recording/process-identity.js';
import { DEFAULT_RECORDING_BYTES } from '../../recording/recording-space.js';
import { TracedProcess } from '../process/traced-process.js';
import { CountingInstances } from '../record/counting-instances.js';
import { CountsWriter } from '../record/counts-writer.js';
import { EndingSignals } from '../record/ending-signals.js';
import { Recorder, takeRecordingSlot } from '../record/recorder.js';
import { beginFirstScript } from '../scripts/first-script.js';
import { sessionUpgrades } from '../server/serve-session.js';
import { type ControlSocket, listenOnSocket } from '../server/socket-server.js';
import { treeRequests } from '../server/tree-requests.js';
import { dumpInstance, writeDump } from '../trace-array/ftrace-dump.js';
import type { TraceInstance } from '../trace-array/instance.js';
import { traceView } from '../trace-array/trace-file.js';
import type { Warn } from '../tracefs/attached-file.js';
import type { TraceDirectory } from '../tracefs/node.js';
import { applyParameters } from './apply-parameters.js';
import { BootEvents } from './boot-events.js';
import { createTracefs } from './tracefs.js';

/** Data bytes of a thread's buffer, as the kernel's 1408 KiB with 4080 of 4096 bytes for data. */
const BUFFER_BYTES = 1408 * 1024;
/** When the sockets of dead processes are removed, in milliseconds after the start: not while the program starts. */
const TIDY_UP = 2000;
/** How long clients wait for the list of functions that the process had before fentry, in milliseconds. */
const LIST_PATIENCE = 5000;
/**
 * The interval between checks of a thread that has not detached, and the time that the last client has to read its answer:
 * milliseconds.
 */
const DETACH_LOOK = 500;
const LAST_ANSWER = 100;

/** The control thread: first the settings of FENTRY, then the program's threads, then clients. */
export class ControlThread {
  readonly #data: ControlData;
  readonly #state: ControlState;
  readonly #process: TracedProcess;
  readonly #top: TraceInstance;
  readonly #root: TraceDirectory;
  #socket: ControlSocket | undefined;
  #recorder: Recorder | undefined;
  #counts: CountsWriter | undefined;
  /** The process that would make the recording has ended. */
  #isAbandoned = false;

  /** @param refused what FENTRY asks for and the port cannot do */
  constructor(data: ControlData, state: ControlState, createPort: CreatePort, refused: readonly string[] = []) {
    this.#data = data;
    this.#state = state;
    this.#process = new TracedProcess({
      createPort,
      settings: { tracer: 'nop', options: DEFAULT_OPTIONS, maxDepth: 0, threshold: 0n },
      folder: data.folder,
      bufferBytes: BUFFER_BYTES,
      onProgramEnd: () => void this.#end(),
      hasConsole: data.parameters.tp_printk === true,
      consoleLine: (...record) => consoleLine(traceView(this.#top), ...record),
      onDump: (cpu) => writeDump(dumpInstance(this.#top, cpu), data.parameters.ftrace_dump_on_oops?.file),
    });
    this.#top = this.#process.top;
    const attachment = {
      isAttached: data.isAttached,
      detach: () => this.#detach(),
      onUnreached: (warn: Warn) => this.#process.onUnreached(warn),
      refused,
    };
    this.#root = createTracefs(this.#process, attachment);
    for (const message of refused) say(`FENTRY: ${message}`);
  }

  async run(): Promise<void> {
    // If the recorder has already ended, the trace would never be read.
    const { recorder } = this.#data.parameters;
    this.#isAbandoned = recorder !== undefined && hasEnded(recorder);
    const parameters = this.#isAbandoned ? {} : this.#data.parameters;
    for (const message of await this.#apply(parameters)) say(`FENTRY: ${message}`);
    this.#record();
    // From here on, threads that wait for their first patches continue.
    this.#process.start();
    // A client that connects at once finds the functions that the program already has.
    if (this.#data.isAttached) await Promise.race([this.#process.functionsLoadedBefore().catch(() => {}), sleep(LIST_PATIENCE)]);
    this.#listen();
  }

  async #apply(parameters: Parameters): Promise<readonly string[]> {
    const bootEvents = new BootEvents(this.#root, (message) => say(`FENTRY: ${message}`));
    const refused = await applyParameters(this.#root, parameters, (folder, requests) => bootEvents.add(folder, requests));
    await this.#count(parameters, bootEvents);
    if (parameters.script !== undefined) await this.#beginScript(parameters.script);
    if (!asksForEvents(parameters)) return refused;
    const { events } = this.#process;
    for (const event of events.all()) bootEvents.came(event);
    events.onRegister = (event) => bootEvents.came(event);
    // The writes are done before a thread is connected.
    await nextTurn();
    return refused;
  }

  /** Begins a command's script. It prints its last before a signal ends the process, too. */
  async #beginScript(folder: string): Promise<void> {
    const { scripts } = this.#process;
    await beginFirstScript(scripts, folder);
    if (scripts.names.length === 0 || this.#data.parameters.record !== undefined) return;
    new EndingSignals(
      (signal) => this.#process.heardSignals(signal),
      () => scripts.end(),
    );
  }

  async #count({ stat, stat_events = [], stat_functions = [], recorder }: Parameters, bootEvents: BootEvents): Promise<void> {
    if (stat === undefined) return;
    try {
      const counting = await CountingInstances.make(this.#root, stat_events, stat_functions);
      bootEvents.add(counting.events, stat_events);
      const abandoned = () => void counting.remove();
      this.#counts = new CountsWriter(counting, { folder: stat, pid: process.pid, reader: recorder, abandoned });
    } catch (error) {
      say(`nothing is counted: ${(error as Error).message}`);
    }
  }

  #listen(): void {
    if (!this.#state.mayListen()) return;
    const { socketPath, isAsked, isAttached } = this.#data;
    try {
      makeSocketDirectory(dirname(socketPath), process.geteuid?.() ?? 0);
      this.#socket = listenOnSocket(socketPath, treeRequests(this.#root), sessionUpgrades(this.#root), {
        hasClients: (has) => this.#state.hasClients(has) || this.#process.scripts.areAwaited,
      });
      setTimeout(() => void tidyUp(dirname(socketPath)), TIDY_UP).unref();
    } catch (error) {
      if (isAsked) say(`no control socket: ${(error as Error).message}`);
      // Without a socket nobody could reach what was attached, or take it away again.
      if (isAttached) {
        this.#state.cannotListen?.(error as Error);
        void this.#detach();
        return;
      }
    }
    this.#state.listens();
  }

  #record(): void {
    const { record, recorder, record_size: bytes = DEFAULT_RECORDING_BYTES, record_cpu_size: cpuBytes } = this.#data.parameters;
    if (record === undefined || this.#isAbandoned) return;
    try {
      const slot = takeRecordingSlot(record, process.pid);
      this.#recorder = new Recorder(this.#process, {
        folder: record,
        pid: process.pid,
        slot,
        clock: this.#top.buffers.clock,
        limits: { bytes: bytes === 0 ? undefined : bytes, cpuBytes },
        recorder,
        abandoned: () => void this.#abandon(record),
        failed: (error) => this.#stop(error),
      });
      this.#top.recorder = 'the command that has started the program';
    } catch (error) {
      say(`nothing is recorded: ${(error as Error).message}`);
    }
  }

  /** The recorder is gone (no folder), or the disk is full: the program runs on at full speed. */
  #stop(error: NodeJS.ErrnoException): void {
    this.#recorder = undefined;
    this.#top.recorder = undefined;
    void this.#stopTracing();
    if (error.code !== 'ENOENT') say(`recording ends: ${error.message}`);
  }

  async #stopTracing(): Promise<void> {
    await this.#top.setTracer('nop').catch(() => {});
    await this.#disableEvents();
  }

  async #disableEvents(): Promise<void> {
    const { events } = this.#top;
    const enabled = events.all().filter(({ isEnabled }) => isEnabled);
    if (enabled.length > 0) await events.setEnabled(enabled, false).catch(() => {});
  }

  /** The recorder was killed: nothing else ends the recording and makes a file from it. */
  async #abandon(folder: string): Promise<void> {
    const recorder = this.#recorder;
    // A thread that is blocked records nothing, and obeys later.
    const wasTracing = this.#top.tracer !== 'nop';
    await this.#top.setTracer('nop', true).catch(() => {});
    await this.#disableEvents();
    this.#recorder = undefined;
    this.#top.recorder = undefined;
    try {
      // A recorder that ended as it should has removed it.
      if (!existsSync(folder)) return;
      recorder?.finish();
      say(`recording ends: fentry record was killed; fentry restore ${folder} makes a recording of what there is`);
    } catch (error) {
      say(`recording ends: ${(error as Error).message}`);
    } finally {
      if (wasTracing) this.#top.buffers.clear();
    }
  }

  async #end(): Promise<void> {
    await this.#process.scripts.end();
    if (this.#state.endsWithProgram) this.#socket?.close();
    try {
      this.#recorder?.finish();
    } catch (error) {
      say(`the last pages are not recorded: ${(error as Error).message}`);
    }
    // The folder may be gone: then nobody reads it.
    await this.#counts?.finish().catch(() => {});
    this.#state.ends();
  }

  /** Restores the process; ends this thread when every other thread has detached. */
  async #detach(): Promise<void> {
    if (this.#process.scripts.names.length > 0) await this.#process.scripts.stop();
    const settled = this.#process.detach();
    void this.#whenDetached(settled);
    await settled;
  }

  async #whenDetached(settled: Promise<void>): Promise<void> {
    for (let waiting = settled; ; waiting = this.#process.obeyed()) {
      const obeyed = await waiting.then(
        () => true,
        () => false,
      );
      if (obeyed) break;
      await sleep(DETACH_LOOK);
    }
    try {
      unlinkSync(this.#data.socketPath);
    } catch {
      // It had none.
    }
    await sleep(LAST_ANSWER);
    process.exit();
  }
}

/** Removes the sockets of processes that ended without removing theirs, unless a host listens on one. */
async function tidyUp(directory: string): Promise<void> {
  for (const name of attempt(() => readdirSync(directory)) ?? []) {
    const pid = pidOfSocket(name);
    if (pid === undefined || processExists(pid) || (await listens(join(directory, name)))) continue;
    try {
      unlinkSync(join(directory, name));
    } catch {
      // Another process removed it at the same time.
    }
  }
}
