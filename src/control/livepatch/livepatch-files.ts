import { asTraceError, TraceError } from '../../base/errno.js';
import { wordsOf } from '../../ftrace/register.js';
import { functionText } from '../ftrace/filter-files.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import { type Feature, one } from '../tracefs/feature.js';
import type { TraceDirectory, TraceFile, TraceNode } from '../tracefs/node.js';
import { parseBoolean } from '../tracefs/parse-boolean.js';
import { directory, dynamicDirectory } from '../tracefs/path.js';
import type { RefusalLog } from '../tracefs/refusal.js';
import { type TextFileSpec, textFile } from '../tracefs/text-file.js';
import type { Livepatch } from './livepatch.js';
import type { Livepatches } from './livepatches.js';

/** What the files of live patches need of the process. */
export interface PatchedProcess {
  readonly top: RefusalLog;
  readonly livepatches: Livepatches;
  functions(): FunctionTable;
}

/**
 * A file that loads the patch of a line `NAME PATH`. What is refused is in error_log too, because `echo` shows only the errno.
 */
const loadFile = ({ errors, process }: RefusalLog, load: (name: string, path: string) => Promise<unknown>): TraceFile =>
  textFile({
    mode: 0o200,
    async store(text) {
      const [, name, path] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(text) ?? [];
      try {
        if (name === undefined || path === undefined) throw new TraceError('EINVAL', 'the form is NAME PATH');
        await load(name, path);
      } catch (error) {
        errors.log(process.now(), 'livepatch', asTraceError(error).message.replaceAll('\n', ' '), text.trim(), 0);
        throw error;
      }
    },
  });

/** A file as sysfs has it: what it has no method for is refused when it is opened (kernfs_fop_open). */
const sysfsFile = (spec: TextFileSpec): TraceFile =>
  textFile({
    ...spec,
    opened({ read, write }) {
      if (read && spec.show === undefined) throw new TraceError('EACCES', 'this file can only be written');
      if (write && spec.store === undefined) throw new TraceError('EACCES', 'this file can only be read');
      return undefined;
    },
  });

/** Everyone may read it, unlike a file of tracefs. */
const shownFile = (show: () => string): TraceFile => sysfsFile({ mode: 0o444, show });

const enabledFile = (patch: Livepatch): TraceFile =>
  sysfsFile({
    mode: 0o644,
    show: () => `${patch.enabled ? 1 : 0}\n`,
    store: (text) => patch.setEnabled(parseBoolean(text)),
  });

const forceFile = (patch: Livepatch): TraceFile =>
  sysfsFile({
    mode: 0o200,
    async store(text) {
      if (parseBoolean(text)) await patch.force();
    },
  });

/** In the name of a directory, `!` takes the place of `/`, as in sysfs. */
const fileName = (name: string): string => name.replaceAll('/', '!');

/** OBJECT/FUNCTION,SYMPOS/ */
function objectDirectories({ functions }: Livepatch): [string, TraceNode][] {
  const objects = new Set(functions.map(({ object }) => object));
  return Array.from(objects, (object) => {
    const own = functions.filter((each) => each.object === object);
    const entries = own.map(({ name, sympos }): [string, TraceNode] => [`${fileName(name)},${sympos}`, directory({}, 0o755)]);
    return [fileName(object), directory({ ...Object.fromEntries(entries), patched: shownFile(() => '1\n') }, 0o755)];
  });
}

const patchDirectory = (patch: Livepatch): TraceDirectory =>
  directory(
    {
      ...Object.fromEntries(objectDirectories(patch)),
      enabled: enabledFile(patch),
      force: forceFile(patch),
      transition: shownFile(() => `${patch.inTransition ? 1 : 0}\n`),
    },
    0o755,
  );

/** The functions whose calls are followed; a write names them anew. */
const followFile = (process: PatchedProcess): TraceFile =>
  textFile({
    mode: 0o644,
    *show() {
      const table = process.functions();
      for (const n of process.livepatches.followed) yield `${functionText(table, n)}\n`;
    },
    store: (text) => process.livepatches.follow(wordsOf(text)),
  });

/** livepatch/: the files of /sys/kernel/livepatch, and one that loads patches. */
function livepatchDirectory(process: PatchedProcess, log: RefusalLog): TraceDirectory {
  const patches = process.livepatches;
  const files: [string, TraceNode][] = [
    ['follow', followFile(process)],
    // Enables it too, as insmod does in the kernel.
    ['load', loadFile(log, (name, path) => patches.load(name, path))],
    ['prepare', loadFile(log, (name, path) => patches.prepare(name, path))],
  ];
  return dynamicDirectory(
    () => new Map<string, TraceNode>([...files, ...patches.all.map((patch) => [patch.name, patchDirectory(patch)] as const)]),
    0o755,
  );
}

/** The files of live patches, and their parameter. */
export const livepatchFeature: Feature<PatchedProcess> = {
  name: 'livepatch',
  files: (process) => ({ livepatch: livepatchDirectory(process, process.top) }),
  help: `
  livepatch/           - echo NAME PATH > load replaces functions by those of a file; each patch has a directory
      follow           - the functions whose calls are followed before any patch replaces them
`,
  parameters: [['livepatch_follow', one('livepatch/follow', (list: string) => list.replaceAll(',', ' '))]],
};
