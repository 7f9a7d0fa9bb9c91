// A process that is a simulated machine: takes `load JSON` and `call NAME`, a line each, and says when it is done.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ControlThread } from '../../../src/control/tree/control-thread.js';
import { SimulatedMachine } from './simulated-machine.js';
import type { Program } from './simulated-text.js';

const CPUS = 2;

let machine: SimulatedMachine | undefined;
const data = {
  parameters: {},
  socketPath: join(process.env['FENTRY_DIR']!, `${process.pid}.sock`),
  isAttached: false,
  isAsked: true,
};
const state = { mayListen: () => true, listens() {}, endsWithProgram: true, hasClients: () => true, ends() {} };
await new ControlThread(data, state, (listener) => (machine = new SimulatedMachine(listener, CPUS))).run();

for await (const line of createInterface({ input: process.stdin })) {
  const [, verb, rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
  if (verb === 'load') {
    const { program, file } = JSON.parse(rest) as { program: Program; file: string };
    machine!.load(program, file);
  } else {
    const [name = '', cpu = '0'] = rest.split(' ');
    machine!.run(Number(cpu), name);
  }
  process.stdout.write('done\n');
}
