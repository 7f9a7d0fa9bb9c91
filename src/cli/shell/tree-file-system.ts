import type { IFileSystem } from 'just-bash/browser';
import { ERRNO, TraceError } from '../../base/errno.js';
import type { TreeFiles } from './tree-files.js';

type Stat = Awaited<ReturnType<IFileSystem['stat']>>;

const relative = (path: string): string => path.replace(/^\/+/, '');

/** The errors of a file system as that shell reads them: the errno's name first. */
const nodeError = ({ errno }: TraceError, path: string): Error =>
  Object.assign(new Error(`${errno}: ${ERRNO[errno][1].toLowerCase()}, '${path}'`), { code: errno });

async function asked<T>(path: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof TraceError ? nodeError(error, path) : error;
  }
}

const refuse = async (path: string): Promise<never> => {
  throw nodeError(new TraceError('EPERM'), path);
};

/** The tree as a file system of just-bash. Writes come through `redirect`, which can say what was refused. */
export function treeFileSystem(files: TreeFiles): IFileSystem {
  const { session } = files;
  const stat = async (path: string): Promise<Stat> => {
    const { kind, mode, size } = await asked(path, session.request('stat', { path: relative(path) }));
    return {
      isFile: kind === 'file',
      isDirectory: kind === 'directory',
      isSymbolicLink: false,
      mode,
      size,
      mtime: new Date(0),
    };
  };
  const list = async (path: string) => (await asked(path, session.request('list', { path: relative(path) }))).entries;
  const read = (path: string): Promise<Buffer> => asked(path, files.read(relative(path)));
  return {
    readFile: async (path) => (await read(path)).toString(),
    readFileBuffer: read,
    writeFile: (path, content) => asked(path, files.write(relative(path), Buffer.from(content as string), false)),
    appendFile: (path, content) => asked(path, files.write(relative(path), Buffer.from(content as string), true)),
    exists: (path) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    stat,
    lstat: stat,
    mkdir: async (path) => void (await asked(path, session.request('mkdir', { path: relative(path) }))),
    readdir: async (path) => (await list(path)).map(({ name }) => name),
    readdirWithFileTypes: async (path) =>
      (await list(path)).map(({ name, kind }) => ({
        name,
        isFile: kind === 'file',
        isDirectory: kind === 'directory',
        isSymbolicLink: false,
      })),
    rm: async (path) => {
      if ((await stat(path)).isFile) await refuse(path);
      await asked(path, session.request('rmdir', { path: relative(path) }));
    },
    cp: refuse,
    mv: refuse,
    symlink: refuse,
    link: refuse,
    readlink: refuse,
    chmod: async () => {},
    utimes: async () => {},
    realpath: async (path) => path,
    resolvePath: (base, path) => (path.startsWith('/') ? path : `${base.replace(/\/$/, '')}/${path}`),
    getAllPaths: () => [],
  };
}
