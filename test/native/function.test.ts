import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../e2e/support/program.js';
import { ARM64_FORMS } from './arm64-forms.js';
import { attach, isAsInFile, lacks, noTracing, ready, traced } from './native-machine.js';
import { sixteenThreads } from './sixteen-threads.js';

const SIXTEEN = sixteenThreads(1000);
const SUM = 16 * 2 * (500 * 999) + 16 * 3 * 1000;
const CALLS = 16 * 3 * 1000;

/** A way in which programs are compiled. */
interface Form {
  readonly options: readonly string[];
  readonly compiler?: string;
}

const X86_FORMS: Readonly<Record<string, Form>> = {
  '-pg -mfentry -mnop-mcount': { options: ['-pg', '-mfentry', '-mnop-mcount', '-fno-pie', '-no-pie'] },
  '-pg -mfentry, position independent': { options: ['-pg', '-mfentry', '-fpie', '-pie'] },
  '-pg': { options: ['-pg', '-fno-pie', '-no-pie'] },
  '-fpatchable-function-entry=5': { options: ['-fpatchable-function-entry=5'] },
  '-fpatchable-function-entry=16,11': { options: ['-fpatchable-function-entry=16,11'] },
  '-fcf-protection=full, with endbr64': { options: ['-fpatchable-function-entry=5', '-fcf-protection=full'] },
  'without sites': { options: ['-O2'] },
  // To the compiler alone: the linker would want XRay's own runtime.
  'clang, sleds of XRay': {
    options: ['-fxray-instrument', '-fxray-instruction-threshold=1'].flatMap((option) => ['-Xclang', option]),
    compiler: 'clang',
  },
  'clang -fpatchable-function-entry=5': { options: ['-fpatchable-function-entry=5'], compiler: 'clang' },
};

const FORMS: Readonly<Record<string, Form>> =
  process.arch === 'x64'
    ? X86_FORMS
    : Object.fromEntries(Object.entries(ARM64_FORMS).map(([name, options]) => [name, { options }]));

/** Sites that are calls of a profiler's function, in an executable at a fixed place. */
const CALLED = ['-pg', ...(process.arch === 'x64' ? ['-mfentry'] : []), '-fno-pie', '-no-pie'];

/** Events of a call, and a line of it. */
const TRACERS = [
  ['function', 1, /: middle <-worker$/m],
  ['function_graph', 2, /\| {2}middle\(\) \{$/m],
] as const;

interface Stats {
  readonly recorded: number;
  readonly overrun: number;
  readonly dropped: number;
}

/** The numbers of per_cpu/cpuN/stats together. */
async function stats(files: {
  list(path: string): Promise<readonly { name: string }[]>;
  read(path: string): Promise<string>;
}): Promise<Stats> {
  const texts = await Promise.all((await files.list('per_cpu')).map(({ name }) => files.read(`per_cpu/${name}/stats`)));
  const sum = (name: string): number =>
    texts.reduce((all, text) => all + Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]), 0);
  return { recorded: sum('entries'), overrun: sum('overrun'), dropped: sum('dropped events') + sum('commit overrun') };
}

describe('the function tracer on native programs', { skip: noTracing }, () => {
  for (const [form, { options, compiler = 'gcc' }] of Object.entries(FORMS)) {
    it(`counts each call of sixteen threads: ${form}`, { skip: lacks(compiler) }, async (t) => {
      const { files, ask } = await traced(t, SIXTEEN, options, compiler);
      assert.equal(await ask(), String(SUM));
      await files.write('set_ftrace_filter', 'leaf middle');
      const all = async (): Promise<number> => {
        const { recorded, overrun, dropped } = await stats(files);
        return recorded + overrun + dropped;
      };
      for (const [tracer, events, line] of TRACERS) {
        await files.write('current_tracer', tracer);
        assert.equal(await ask(), String(SUM));
        // What found no buffer is counted a moment later.
        await until(async () => (await all()) >= events * CALLS, 'all calls are counted');
        assert.equal(await all(), events * CALLS);
        assert.match(await files.read('trace'), line);
      }
      await files.write('current_tracer', 'nop');
      assert.equal(await ask(), String(SUM));
      assert.equal((await stats(files)).recorded, 0);
    });
  }

  it('loses nothing uncounted in a small buffer', async (t) => {
    const { files, ask } = await traced(t, SIXTEEN, ['-fpatchable-function-entry=5']);
    await files.write('buffer_size_kb', '8');
    await files.write('set_ftrace_filter', 'leaf middle');
    await files.write('current_tracer', 'function');
    await ask();
    await until(async () => (await stats(files)).recorded > 0, 'calls are recorded');
    const { recorded, overrun, dropped } = await stats(files);
    assert.equal(recorded + overrun + dropped, CALLS);
    assert.ok(overrun > 0);
  });

  it('counts what a small buffer that is not overwritten has no room for', async (t) => {
    const { files, ask } = await traced(t, SIXTEEN, ['-fpatchable-function-entry=5']);
    await files.write('buffer_size_kb', '8');
    await files.write('options/overwrite', '0');
    await files.write('set_ftrace_filter', 'leaf middle');
    await files.write('current_tracer', 'function');
    assert.equal(await ask(), String(SUM));
    const all = async (): Promise<readonly number[]> => Object.values(await stats(files));
    await until(async () => (await all()).reduce((sum, one) => sum + one) >= CALLS, 'all calls are counted');
    const { recorded, overrun, dropped } = await stats(files);
    assert.deepEqual([recorded + dropped, overrun], [CALLS, 0]);
    assert.ok(dropped > 0);
  });

  it('leaves the text as it was when it is detached', async (t) => {
    const program = await ready(t, SIXTEEN, CALLED);
    assert.ok(isAsInFile(program.pid));
    const { files, ask, sandbox, pid } = await attach(t, program);
    await files.write('current_tracer', 'function');
    assert.ok(!isAsInFile(pid));
    assert.equal(await ask(), String(SUM));
    const detached = await sandbox.fentry('detach', String(pid));
    assert.equal(detached.stdout, `detached from process ${pid}\n`);
    assert.ok(isAsInFile(pid));
    assert.equal(await ask(), String(SUM));
  });
});
