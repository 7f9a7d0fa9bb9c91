import { asTraceError, TraceError } from '../base/errno.js';
import { PAGE } from '../base/page.js';
import { Attributes, type Owner } from './attributes.js';
import type { Mount, Operation, Reply } from './context.js';
import { type FuseChannel, type FuseRequest, MAX_WRITE } from './device.js';
import { DirectoryListings } from './directory-listings.js';
import { FILE_OPERATIONS } from './file-operations.js';
import { errnoOf, FuseError } from './fuse-error.js';
import { MountedFiles } from './mounted-files.js';
import { DIRECTORY_OPERATIONS, NAME_OPERATIONS } from './name-operations.js';
import { Nodes } from './nodes.js';
import { INIT_FLAGS, INIT_IN, INIT_OUT, INTERRUPT_IN, type Opcode, VERSION } from './protocol.js';
import type { Tree } from './tree.js';

/** Operations that ask the tree; the server answers the others itself. */
const OPERATIONS: Partial<Record<Opcode, Operation>> = {
  ...NAME_OPERATIONS,
  ...DIRECTORY_OPERATIONS,
  ...FILE_OPERATIONS,
  INIT: (mount, { body }) => {
    mount.minor = INIT_IN.read(body, 0).minor;
    return [answerInit(body)];
  },
  DESTROY: () => [],
};
/** Operations that have no answer. */
const SILENT: ReadonlySet<Opcode | undefined> = new Set<Opcode>(['FORGET', 'BATCH_FORGET', 'INTERRUPT']);

/** Answers the kernel's requests for one mounted tree. */
export class FuseServer {
  readonly #channel: FuseChannel;
  readonly #mount: Mount;
  readonly #tell: (line: string) => void;
  readonly #running = new Map<number, AbortController>();

  /**
   * @param tell is given a line for each EIO: no file answers that by itself, so it is a fault, and the caller sees its number
   * only
   */
  constructor(channel: FuseChannel, tree: Tree, owner: Owner, time: number, tell: (line: string) => void) {
    const nodes = new Nodes();
    this.#tell = tell;
    this.#channel = channel;
    this.#mount = {
      channel,
      tree,
      nodes,
      attributes: new Attributes(nodes, owner, time),
      files: new MountedFiles(),
      listings: new DirectoryListings(),
      minor: 0,
    };
  }

  /** Serves until the file system is unmounted and all its files are closed. */
  async run(): Promise<void> {
    for (;;) {
      const request = await this.#channel.next();
      if (request === undefined) return;
      if (!SILENT.has(request.opcode)) void this.#answer(request);
      else if (request.opcode === 'FORGET') this.#mount.nodes.forget(request.nodeid);
      else if (request.opcode === 'INTERRUPT') this.#interrupt(INTERRUPT_IN.read(request.body, 0).unique);
    }
  }

  /** A signal arrived for the task that waits for the answer. */
  #interrupt(unique: number): void {
    this.#running.get(unique)?.abort();
  }

  async #answer(request: FuseRequest): Promise<void> {
    const { unique } = request;
    const interrupt = new AbortController();
    this.#running.set(unique, interrupt);
    try {
      const reply = await this.#run(request, interrupt.signal);
      this.#channel.reply(unique, 0, reply);
    } catch (thrown) {
      this.#channel.reply(unique, errnoOf(thrown));
      this.#tellFault(request, thrown);
    } finally {
      this.#running.delete(unique);
    }
  }

  #tellFault({ opcode, nodeid }: FuseRequest, thrown: unknown): void {
    if (thrown instanceof FuseError) return;
    const { errno, message } = asTraceError(thrown);
    if (errno === 'EIO')
      this.#tell(`fentry: ${opcode ?? 'a request'} of ${this.#mount.nodes.shownPath(nodeid)} is answered with EIO: ${message}`);
  }

  #run(request: FuseRequest, signal: AbortSignal): Reply | Promise<Reply> {
    const operation = request.opcode === undefined ? undefined : OPERATIONS[request.opcode];
    if (operation === undefined) throw new TraceError('ENOSYS');
    return operation(this.#mount, request, signal);
  }
}

function answerInit(body: Buffer): Buffer {
  const { major, minor, flags } = INIT_IN.read(body, 0);
  const { ASYNC_READ, ATOMIC_O_TRUNC, BIG_WRITES, PARALLEL_DIROPS, MAX_PAGES } = INIT_FLAGS;
  return INIT_OUT.write({
    major: VERSION.major,
    minor: major === VERSION.major ? Math.min(minor, VERSION.minor) : VERSION.minor,
    // splice(2) reads pages into the page cache one by one then, and each is full. What is read ahead of a reader of
    // trace_pipe_raw is lost when it ends, and a short answer to a longer read ends the file for ever.
    maxReadahead: 0,
    flags: flags & (ASYNC_READ | ATOMIC_O_TRUNC | BIG_WRITES | PARALLEL_DIROPS | MAX_PAGES),
    maxBackground: 64,
    congestionThreshold: 48,
    maxWrite: MAX_WRITE,
    timeGran: 1,
    maxPages: MAX_WRITE / PAGE,
  });
}
