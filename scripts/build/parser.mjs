// The parser in WebAssembly: src/v8/parser is AssemblyScript.

/** Compiles the parser to a file. Without its compiler, every text is read by acorn: the first start of a program is slower. */
export async function buildParser(file) {
  const asc = await compiler();
  if (asc === undefined) {
    console.error('assemblyscript is not installed (npm ci): built without the fast parser');
    return;
  }
  // Its memory is all its own: nothing is collected.
  const { error, stderr } = await asc.main(['src/v8/parser/index.ts', '-O3', '--runtime', 'stub', '--outFile', file]);
  if (error) throw new Error(`the parser cannot be compiled:\n${stderr.toString()}`);
}

const compiler = async () => {
  try {
    return (await import('assemblyscript/asc')).default;
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
};
