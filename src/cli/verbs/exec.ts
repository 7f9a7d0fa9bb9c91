import { rmSync } from 'node:fs';
import { TraceError } from '../../base/errno.js';
import { whileAwaiting } from '../../client/stopped-process.js';
import { PID_OPTION, parseOptions, splitCommand } from '../arguments.js';
import { hostBindings } from '../exec/host-files.js';
import { NAMESPACE_SCRIPT } from '../exec/namespace-script.js';
import { closeFuseDevice, openFuseDevice } from '../mount/fuse-device.js';
import { startFuseServer } from '../mount/fuse-server.js';
import { mountOptions } from '../mount/mount-fuse.js';
import { complain } from '../output.js';
import { type Ending, exitCodeOf, runCommand } from '../record/run-command.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

export const exec: Verb = {
  name: 'exec',
  synopsis: '[--pid PID] [--] COMMAND...',
  summary: 'run a command, such as trace-cmd, that finds the control files at /sys/kernel/tracing',
  options: PID_OPTION,
  help: `The command runs in a new mount namespace. There, /sys/kernel/tracing, /sys/kernel/debug/tracing and /proc/kallsyms belong to
the traced process, and the CPUs are its threads. Other processes see no change. The exit code is the command's.

Example: fentry exec -- trace-cmd start -p function_graph -g handle; fentry exec -- trace-cmd show
`,
  async run(args) {
    const { own, command } = splitCommand(args, PID_OPTION);
    const { values } = parseOptions(own, PID_OPTION);
    if (command.length === 0) throw new UsageError('name the command to run, for example: fentry exec -- trace-cmd stat');
    const client = await targetOf(values);
    if (process.getuid?.() !== 0)
      throw new TraceError('EPERM', 'fentry exec needs root for a mount namespace; fentry sh and fentry mount do not');
    const { folder, spare, lines } = await hostBindings(client);
    const device = openFuseDevice();
    const server = startFuseServer({ socketPath: client.socketPath, device, detached: false });
    const ended = whileAwaiting(client.pid);
    let ending: Ending;
    try {
      const script = ['sh', '-c', NAMESPACE_SCRIPT, 'sh', mountOptions(3, 0, 0), String(lines.length), spare, ...lines.flat()];
      let running: Promise<Ending>;
      try {
        running = runCommand(['unshare', '--mount', '--', ...script, ...command], process.env, complain, { third: device });
      } finally {
        // While any process has it open, the command would wait for the answers of a server that has ended.
        closeFuseDevice(device);
      }
      ending = await running;
    } finally {
      ended();
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
    // Last: this may end the process by the signal that ended the command.
    return exitCodeOf(ending);
  },
};
