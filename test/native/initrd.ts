/** Files of an archive, by their paths without the first `/`. */
export type ArchiveFiles = Readonly<Record<string, { readonly bytes: Uint8Array; readonly mode?: number }>>;

const EXECUTABLE = 0o100755;
const FOLDER = 0o40755;

/** The archive that a kernel unpacks at its start (cpio's newc format). Folders come before what is in them. */
export function initrd(files: ArchiveFiles, folders: readonly string[] = []): Buffer {
  const pieces = [
    ...folders.map((name) => entry(name, FOLDER, new Uint8Array(0))),
    ...Object.entries(files).map(([name, { bytes, mode = EXECUTABLE }]) => entry(name, mode, bytes)),
    entry('TRAILER!!!', 0, new Uint8Array(0)),
  ];
  return Buffer.concat(pieces.flat());
}

function entry(name: string, mode: number, bytes: Uint8Array): Uint8Array[] {
  const fields = [1, mode, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, name.length + 1, 0];
  const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}${name}\0`);
  return [header, padding(header), bytes, padding(bytes)];
}

const padding = ({ length }: Uint8Array): Uint8Array => new Uint8Array(-length & 3);
