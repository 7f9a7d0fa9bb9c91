import type { RunningProgram } from '../../src/native/testing/programs.js';
import { until } from '../e2e/support/program.js';

const END = '= end';

/**
 * A program that does for each line what another one does once.
 * @param call of the other one's main function, by the name `once`
 */
export const repeated = (source: string, call = 'once()'): string => `
#define main once
${source}
#undef main
int main() {
  char line[16];
  setbuf(stdout, 0);
  puts("ready");
  while (fgets(line, sizeof line, stdin)) { ${call}; puts("${END}"); }
}`;

/** Has such a program do it once more; returns what it printed. */
export async function onceMore({ child, output }: RunningProgram): Promise<string> {
  const before = output().length;
  const end = (): number => output().indexOf(`${END}\n`, before);
  child.stdin!.write('\n');
  await until(() => end() >= 0 || child.exitCode !== null || child.signalCode !== null, 'the program has done it');
  if (end() < 0) throw new Error(`the program has ended with ${child.signalCode ?? child.exitCode}: ${output().slice(before)}`);
  return output().slice(before, end());
}
