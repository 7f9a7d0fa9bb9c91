import { importedWordAt, SHARED_OBJECT_TEXT, writeSharedObject } from '../../elf/shared-object.js';
import { at, Label, type Memory } from '../../machine/operands.js';
import { Assembler } from './assembler.js';

/** What a shared object consists of. */
export interface SharedObjectSource {
  /** Functions of the process that loads it. */
  readonly imports: readonly string[];
  /**
   * Emits the code.
   * @param imported the word that holds an imported function's address
   * @returns the functions that it offers, by their names
   */
  readonly assemble: (code: Assembler, imported: (name: string) => Memory) => Readonly<Record<string, Label>>;
  /** The name of an offered function that the dynamic linker calls when it has loaded the object. */
  readonly init?: string;
}

/**
 * Writes a shared object for x86-64 (ELF, 64 bits) that the dynamic linker can load: no sections, an import for each function
 * that it calls, code that is independent of its place. It needs no compiler and no linker.
 */
export function sharedObject({ imports, assemble, init }: SharedObjectSource): Uint8Array {
  const code = new Assembler(SHARED_OBJECT_TEXT);
  const labels = assemble(code, (name) => at(importedWord(imports, name)));
  const text = code.finish();
  const offered = Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, code.addressOf(label)]));
  return writeSharedObject({ machine: 'x86-64', imports, offered, init, text });
}

/** The words before the code that the dynamic linker fills with the addresses of what is imported. */
function importedWord(imports: readonly string[], name: string): Label {
  const index = imports.indexOf(name);
  if (index === -1) throw new Error(`${name} is not imported`);
  const label = new Label();
  label.offset = importedWordAt(index) - SHARED_OBJECT_TEXT;
  return label;
}
