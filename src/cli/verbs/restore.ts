import { readdirSync, statSync } from 'node:fs';
import { TraceError } from '../../base/errno.js';
import { parseOptions } from '../arguments.js';
import { complain } from '../output.js';
import { finishRecording } from '../record/finish-recording.js';
import { recorderOf } from '../record/parts-folder.js';
import { recordedProcesses } from '../record/recording-folder.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { output: { type: 'string', short: 'o' } } as const;
/** What `record` puts between the name of a recording and the random letters of its folder's name. */
const PARTS = /^(?:.*\/)?([^/]*)\.parts-\w+\/*$/;

export const restore: Verb = {
  name: 'restore',
  synopsis: '[-o FILE] [FOLDER]',
  summary: 'make a recording from the parts that were left when record was killed or the disk was full',
  options: OPTIONS,
  help: `  -o FILE   the recording; by default the name that record was given, in this folder

FOLDER is NAME.parts-XXXXXX, beside the recording. You may leave it out if this folder has only one. restore does not
remove it: remove it yourself when you have checked the recording.

Example: fentry restore trace.dat.parts-8RQGmM; fentry report
`,
  run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const folder = chosenFolder(words);
    const recorder = recorderOf(folder);
    if (recorder !== undefined) throw new TraceError('EBUSY', `process ${recorder} is recording into ${folder}`);
    if (recordedProcesses(folder).length === 0) throw new TraceError('EINVAL', `${folder} has no parts of a recording`);
    const output = values.output ?? PARTS.exec(folder)?.[1] ?? 'trace.dat';
    finishRecording(folder, output, {}, complain);
    complain(`${folder} is no longer needed`);
    return Promise.resolve(0);
  },
};

function chosenFolder(words: readonly string[]): string {
  const [word, ...others] = words;
  if (others.length > 0) throw new UsageError(`name one folder only: '${others[0]}'`);
  if (word !== undefined) {
    const found = statSync(word, { throwIfNoEntry: false });
    if (found === undefined) throw new TraceError('ENOENT', `there is no folder ${word}`);
    if (!found.isDirectory()) throw new TraceError('ENOTDIR', `${word} is not a folder`);
    return word;
  }
  const found = readdirSync('.', { withFileTypes: true }).filter((entry) => entry.isDirectory() && PARTS.test(entry.name));
  const [first, ...more] = found.map(({ name }) => name);
  if (first === undefined)
    throw new TraceError('ENOENT', 'there is no NAME.parts-XXXXXX in this folder; name the folder that record left');
  if (more.length > 0) throw new UsageError(`name one of these folders: ${[first, ...more].join(' ')}`);
  return first;
}
