import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedKernel } from '../../src/native/disassemble/listed-kernel.js';
import { disassembleFunction, siteLines } from '../../src/native/disassemble/listed-objects.js';
import { GdbMemory } from '../../src/native/gdb/gdb-memory.js';
import { testFolder } from '../../src/native/testing/programs.js';
import { Sandbox } from '../e2e/support/program.js';
import { boot, kernelOrReason } from './kernel-machine.js';

const kernel = kernelOrReason();
const skip = 'reason' in kernel ? kernel.reason : false;

const PATCHED = 'vfs_read';

test('a kernel behind a stub of GDB: its sites, and what its tracers make of them', { skip }, async (t) => {
  const { image } = kernel as { readonly image: string };
  const machine = await boot(t, testFolder(t), image);
  // The machine goes on between the looks at it.
  const { object, close } = await listedKernel(machine.gdb, image);
  await close();
  const listing = async (): Promise<string> => {
    const memory = await GdbMemory.connect(machine.gdb);
    try {
      const read = async (address: number, length: number): Promise<Uint8Array> => (await memory.read(address, length))!;
      return await disassembleFunction([{ ...object, read }], PATCHED, undefined, { useObjdump: false });
    } finally {
      await memory.close();
    }
  };
  const state = async (): Promise<string> => /^now \((.*)\):$/m.exec(await listing())![1]!;

  assert.match(
    await listing(),
    /^vfs_read at 0xffffffff[0-9a-f]{8}, \d+ bytes, x86-64\nsite: a call of __fentry__; 5 bytes at vfs_read\+0x0, listed in __mcount_loc\n\nnow \(NOP\):\n {2}\w+ {2}0f 1f 44 00 00 /,
  );
  // ftrace gives up the sites of the code that is only run at the start.
  const records = Number.parseInt((await machine.lines('dyn_ftrace_total_info', ''))[0]!, 10);
  const listed = [...siteLines(object)].filter((line) => line.endsWith(' (__mcount_loc)')).length;
  assert.ok(records > 10_000 && listed >= records && listed < records * 1.1, `${listed} sites, ${records} records`);

  await machine.write('set_ftrace_filter', PATCHED);
  await machine.write('current_tracer', 'function');
  const armed = await state();
  const [enabled] = await machine.lines('enabled_functions', `${PATCHED} `);
  const trampoline = /tramp: (0x[0-9a-f]+) /.exec(enabled!)?.[1];
  assert.equal(armed, `armed, calls ${trampoline}`, enabled);
  await machine.write('tracing_on', '0');
  assert.equal(await state(), armed);
  await machine.write('current_tracer', 'function_graph');
  assert.match(await state(), /^armed, calls 0xffffffff/);
  await machine.write('current_tracer', 'nop');
  assert.equal(await state(), 'NOP');

  const sandbox = new Sandbox(t);
  const shown = await sandbox.fentry('disassemble', '--gdb', machine.gdb, '--file', image, PATCHED);
  assert.match(shown.stdout, /\n\nNOP:\n.*\n\narmed:\n.* call 0xffffffff[0-9a-f]{8} <ftrace_caller>\n$/);
});
