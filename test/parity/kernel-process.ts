import { Refused } from '../../src/base/refused.js';
import { TracedProcess } from '../../src/control/process/traced-process.js';
import { DEFAULT_OPTIONS } from '../../src/ftrace/options.js';
import type { MachineCode } from '../../src/port/port.js';
import { SimulatedMachine } from '../contract/simulated/simulated-machine.js';
import { PLACES } from '../contract/simulated/simulated-text.js';
import { kernelEvents } from './kernel-events.js';

/** Functions of the real kernel that the scripts speak of, in the order of its text. */
const FUNCTIONS = [
  'vfs_open',
  'vfs_readv',
  'vfs_read',
  'vfs_write',
  'vfs_rmdir',
  'vfs_rename',
  'vfs_readlink',
  'security_file_open',
  'schedule',
];
/** Functions of it that can be made to fail. */
const FAILING = ['__x64_sys_arch_prctl', '__do_sys_ni_syscall'];
const CPUS = 2;
const KERNEL_BUFFER_BYTES = 1408 * 1024;

/** The kernel's functions as machine code; nothing is known of their variables. */
const MACHINE_CODE: MachineCode = {
  isAll: false,
  has: (n) => n < FUNCTIONS.length,
  registers: new Set(['ax', 'bx', 'cx', 'dx', 'si', 'di', 'bp', 'sp', 'flags', 'ip', 'cs', 'ss']),
  addressOf: (symbol) => (FUNCTIONS.includes(symbol) ? PLACES[0] : undefined),
  fetchVariable: (_n, _place, { kind }) => new Refused(`there is no ${kind}`),
};

/**
 * A process of two threads and a few functions of the real kernel, none of which runs: the control side is the real one, the
 * threads are a simulated machine.
 * @param text what the functions are: of machine code, a probe can fetch memory by the name of a symbol
 */
export function kernelProcess(text: 'javascript' | 'machine code' = 'javascript'): TracedProcess {
  const code = text === 'machine code' ? { machineCode: MACHINE_CODE } : {};
  let machine: SimulatedMachine | undefined;
  const process = new TracedProcess({
    createPort: (listener) => (machine = new SimulatedMachine(listener, CPUS, { events: kernelEvents, ...code })),
    settings: { tracer: 'nop', options: DEFAULT_OPTIONS, maxDepth: 0, threshold: 0n },
    bufferBytes: KERNEL_BUFFER_BYTES,
    hasConsole: true,
    onProgramEnd() {},
    onDump() {},
    consoleLine: () => new Uint8Array(),
  });
  for (const names of [FUNCTIONS, FAILING]) machine!.load(Object.fromEntries(names.map((name) => [name, []])), 'vmlinux');
  process.start();
  return process;
}
