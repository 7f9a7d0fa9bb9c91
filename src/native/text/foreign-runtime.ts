import { type ElfFile, SECTION, SEGMENT, stringAt } from '../elf/elf-file.js';

/** A language's runtime that a tracer would break, and why. */
export interface ForeignRuntime {
  readonly language: string;
  /** The reason, as the end of a sentence: "whose runtime ...". */
  readonly why: string;
}

interface KnownRuntime extends ForeignRuntime {
  readonly isIn: (elf: ElfFile) => boolean;
}

/** What the linker of Go makes; strip leaves it. */
const GO_SECTION = /^\.(go\.buildinfo|note\.go\.buildid|(data\.rel\.ro\.)?gopclntab)$/;
const GO_NOTE = 'Go';
const GO_BUILD_INFO = Buffer.from('\xff Go buildinf:', 'latin1');
/** The table by which OCaml's collector finds what calls keep on the stack. Executables show it to others, for plugins. */
const OCAML_TABLE = '\0caml_frametable\0';
/** A variable of the environment that OCaml's runtime reads. */
const OCAML_VARIABLE = 'OCAMLRUNPARAM';
const NOTE_HEAD = 12;

const RUNTIMES: readonly KnownRuntime[] = [
  {
    language: 'Go',
    why: 'moves its stacks, and finds return addresses on them by tables of its own',
    isIn: (elf) =>
      elf.sections.some(({ name }) => GO_SECTION.test(name)) ||
      elf.segments.some((segment) => segment.type === SEGMENT.note && hasGoNote(elf.at(segment.address, segment.fileSize))) ||
      (elf.sections.length === 0 && elf.bytes.includes(GO_BUILD_INFO)),
  },
  {
    language: 'OCaml',
    why: 'finds return addresses on stacks by tables of its own',
    isIn: (elf) => {
      const tables = elf.sectionsOfType(SECTION.dynsym);
      if (tables.length === 0) return elf.bytes.includes(OCAML_VARIABLE);
      return tables.some(({ link }) => {
        const names = elf.sections[link];
        return names !== undefined && elf.contents(names).includes(OCAML_TABLE);
      });
    },
  },
];

function hasGoNote(notes: Buffer | undefined): boolean {
  return notes !== undefined && notes.length > NOTE_HEAD && stringAt(notes, NOTE_HEAD) === GO_NOTE;
}

/** The runtime that an object has inside and that calls must not be followed in; undefined: none. */
export const foreignRuntime = (elf: ElfFile): ForeignRuntime | undefined => RUNTIMES.find(({ isIn }) => isIn(elf));
