// ask(): starts the program of a question, gives it its load, types the question's commands, and says whether they print what the
// question promises. scripts/questions.mjs makes a page of it, the tests of test/cases assert it.
import { once } from 'node:events';
import { isRunning, Workplace } from './workplace.mjs';

/** A machine that is busy may give the program no time while a command runs. */
const TRIES = 4;
/** Milliseconds after which a command is given up that does not end. */
const PATIENCE = 60_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(holds, what) {
  for (const end = performance.now() + PATIENCE; !holds(); await pause(20)) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
  }
}

/** Starts the program, and waits until it prints where it listens, or that it is ready. */
async function started(workplace, line) {
  const { child, heard } = workplace.type(`exec env ${line}`);
  await until(() => /http:\S+|ready/.test(heard.text) || !isRunning(child), `${line} is ready`);
  if (!isRunning(child)) throw new Error(`${line} ended with ${child.exitCode ?? child.signalCode}:\n${heard.text}`);
  return { child, url: /http:\S+/.exec(heard.text)?.[0] };
}

async function typed(workplace, command, pid) {
  const { child, heard } = workplace.type(command, { PID: String(pid) });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), PATIENCE);
  await once(child, 'close');
  clearTimeout(timer);
  return { command, output: heard.text.replace(/[ \t]+$/gm, '').trimEnd() };
}

/** Types the commands until their output is as promised. */
async function answered(workplace, { title, commands, shows }, pid) {
  let steps = [];
  let missing = [];
  for (let i = 0; i < TRIES; i++) {
    steps = [];
    for (const command of commands) steps.push(await typed(workplace, command, pid));
    const text = steps.map(({ output }) => output).join('\n');
    missing = shows.filter((promised) => !promised.test(text));
    if (missing.length === 0) return { steps, failure: undefined };
    await pause(300);
  }
  const outputs = steps.map(({ command, output }) => `$ ${command}\n${output}`).join('\n');
  return { steps, failure: `${title}\n${outputs}\n${missing.join('\n')}\nis not in it` };
}

/** Asks a question: `{ steps: [{ command, output }], failure }`, the failure a text or undefined. */
export async function ask(question) {
  const workplace = new Workplace(question.program);
  let isOver = false;
  try {
    if (question.start === undefined) return await answered(workplace, question, 0);
    const { child, url } = await started(workplace, question.start);
    const load = question.load?.(url, () => isOver);
    if (question.isStopped) {
      await load;
      child.kill('SIGINT');
      await until(() => !isRunning(child), `${question.start} has ended`);
    }
    return await answered(workplace, question, child.pid);
  } finally {
    isOver = true;
    await workplace.leave();
  }
}
