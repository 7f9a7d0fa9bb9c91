/** The files of the folder that FENTRY's parameter `script` names. */
export const SCRIPT_FILES = {
  /** What is written to scripts/NAME/source. The first process renames it. */
  source: 'source',
  taken: 'taken',
  /** The id of the process that runs it. */
  pid: 'pid',
  /** NAME, in that process. */
  name: 'command',
} as const;
