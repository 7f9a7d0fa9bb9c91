import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { CLI, Sandbox } from './support/program.js';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const skip = (shell: string): { skip?: string } => (has(shell) ? {} : { skip: `${shell} is not installed` });

/** Runs a script in a shell that finds `fentry` on its PATH. */
function inShell(sandbox: Sandbox, shell: readonly string[], script: string): string {
  const command = sandbox.file('bin/fentry', `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`);
  chmodSync(command, 0o755);
  const [file = '', ...args] = shell;
  const env = sandbox.env({ PATH: `${sandbox.folder}/bin:${process.env['PATH']}`, HOME: sandbox.folder, TERM: 'dumb' });
  return execFileSync(file, [...args, script], { encoding: 'utf8', env, cwd: sandbox.folder });
}

async function program(t: TestContext): Promise<Sandbox> {
  const sandbox = new Sandbox(t);
  mkdirSync(`${sandbox.folder}/bin`);
  await sandbox.start('function handleOrder() {}\nfunction handleItem() {}\nsetInterval(handleOrder, 50);');
  return sandbox;
}

test('bash completes verbs, options, and functions of the running process', skip('bash'), async (t) => {
  const sandbox = await program(t);
  const complete = (line: string): readonly string[] => {
    const script = `eval "$(fentry completion bash)"; COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(fentry)
      _fentry; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return inShell(sandbox, ['bash', '-c'], script).split('\n').slice(0, -1);
  };
  assert.deepEqual(complete('fentry sna'), ['snapshot']);
  assert.deepEqual(complete('fentry start -g handle'), ['handleOrder', 'handleItem']);
  assert.deepEqual(complete('fentry start --tracer=function_g'), ['function_graph'], 'bash replaces what stands behind the =');
  assert.deepEqual(complete('fentry cat current_t'), ['current_tracer']);
  assert.deepEqual(complete('fentry stap -l "kernel.function(\\"handleO'), ['kernel.function("handleOrder")']);
  assert.deepEqual(complete('fentry stap -L "kernel.trace(\\"irq:softirq_en'), ['kernel.trace("irq:softirq_entry")']);
  assert.deepEqual(complete('fentry stap -l softirq.en'), ['softirq.entry']);
  assert.deepEqual(complete('fentry bpftrace -l usdt:node:gc__d'), ['gc__done']);
});

test('zsh and fish take the scripts', async (t) => {
  const sandbox = await program(t);
  if (has('fish')) {
    const script = `fentry completion fish | source; complete -C 'fentry start -g handle'`;
    assert.deepEqual(inShell(sandbox, ['fish', '-c'], script).split('\n').slice(0, -1).sort(), ['handleItem', 'handleOrder']);
  }
  if (has('zsh')) {
    const script = `autoload -U compinit; compinit -D -u; eval "$(fentry completion zsh)"; print $_comps[fentry]
      words=(fentry start -g handle); CURRENT=4; _describe() { print -l -- \${(P)2} }; compdef() {}; _fentry`;
    assert.deepEqual(inShell(sandbox, ['zsh', '-f', '-c'], script).split('\n').slice(0, -1), [
      '_fentry',
      'handleOrder:',
      'handleItem:',
    ]);
  }
  if (!has('fish') && !has('zsh')) t.skip('neither is installed');
});

test('the shell is named by a word, or is the one of the environment', async (t) => {
  const sandbox = new Sandbox(t);
  assert.match((await sandbox.run([CLI, 'completion'], { SHELL: '/usr/bin/fish' })).stdout, /__fentry_complete/);
  const { code, stderr } = await sandbox.run([CLI, 'completion', 'tcsh']);
  assert.equal(code, 2);
  assert.match(stderr, /name one shell: bash, zsh, fish/);
});
