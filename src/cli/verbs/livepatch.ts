import { basename, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TraceClient } from '../../client/trace-client.js';
import { PID_OPTION, parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';
import { writeFile } from '../write-file.js';

const OPTIONS = {
  ...PID_OPTION,
  name: { type: 'string' },
  prepare: { type: 'boolean' },
  undo: { type: 'boolean' },
  force: { type: 'boolean' },
} as const;

/** Milliseconds between two looks at a transition, and how long to look. */
const LOOK = 50;
const PATIENCE = 5000;

/** The name of the patch that a file makes. */
const nameOf = (file: string): string => basename(file).replace(/\.[^.]+$/, '');

/** What a patch replaces: `OBJECT/FUNCTION,SYMPOS`, one a line. */
async function functionsOf(client: TraceClient, patch: string): Promise<readonly string[]> {
  const functions: string[] = [];
  for (const object of await client.list(`livepatch/${patch}`)) {
    if (object.kind !== 'directory') continue;
    for (const one of await client.list(`livepatch/${patch}/${object.name}`)) {
      if (one.kind === 'directory') functions.push(`${object.name}/${one.name}`);
    }
  }
  return functions;
}

const isThere = async (client: TraceClient, patch: string): Promise<boolean> =>
  (await client.list('livepatch')).some(({ name }) => name === patch);

/** Whether the transition has ended within PATIENCE; a disabled patch is gone then. */
async function settles(client: TraceClient, patch: string): Promise<boolean> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await delay(LOOK)) {
    if (!(await isThere(client, patch))) return true;
    if ((await client.read(`livepatch/${patch}/transition`)).trim() === '0') return true;
  }
  return false;
}

async function list(client: TraceClient): Promise<void> {
  for (const { name, kind } of await client.list('livepatch')) {
    if (kind !== 'directory') continue;
    const enabled = (await client.read(`livepatch/${name}/enabled`)).trim() === '1';
    const state = (await client.read(`livepatch/${name}/transition`)).trim() === '1' ? ', in transition' : '';
    print(`${name}: ${enabled ? 'enabled' : 'disabled'}${state}\n`);
    for (const one of await functionsOf(client, name)) print(`  ${one}\n`);
  }
}

export const livepatch: Verb = {
  name: 'livepatch',
  synopsis: '[--pid PID] [--name NAME] [FILE | --undo NAME | --force NAME]',
  summary: 'replace functions of a running process by those of a file',
  options: OPTIONS,
  help: `  --name NAME   call the patch NAME; otherwise it is called as its FILE
  --prepare     only begin to see the calls of the functions; write 1 to livepatch/NAME/enabled to go on
  --undo        go back to the functions as they were, and remove the patch NAME
  --force       end the transition of the patch NAME, whatever still runs

FILE is a module; for a native process, a shared object. Each function that it exports replaces the function of the program with the same symbol. Without FILE: the patches.
Examples: fentry livepatch fix-shipping.mjs; fentry livepatch --undo fix-shipping
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [word, ...more] = words;
    if (more.length > 0) throw new UsageError(`one file or patch at a time, not ${words.length}`);
    const asked = values.undo || values.force;
    if (asked && word === undefined) throw new UsageError('name the patch; fentry livepatch lists them');
    const client = await targetOf(values);
    if (word === undefined) {
      await list(client);
      return 0;
    }
    const patch = asked ? word : (values.name ?? nameOf(word));
    if (values.force) await writeFile(client, `livepatch/${patch}/force`, '1');
    else if (values.undo) await writeFile(client, `livepatch/${patch}/enabled`, '0');
    else await writeFile(client, `livepatch/${values.prepare ? 'prepare' : 'load'}`, `${patch} ${resolve(word)}`);
    if (await settles(client, patch)) {
      await list(client);
      return 0;
    }
    print(`${patch} is still in transition: what began before it has not ended. fentry livepatch shows it; --force ends it\n`);
    return 0;
  },
};
