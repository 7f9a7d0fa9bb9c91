import * as module from 'node:module';

interface StripModule {
  stripTypeScriptTypes?(code: string, options: { mode: 'strip' | 'transform'; sourceMap?: boolean; sourceUrl?: string }): string;
}

const FORMATS: Readonly<Record<string, 'commonjs' | 'module' | undefined>> = {
  'commonjs-typescript': 'commonjs',
  'module-typescript': 'module',
  typescript: undefined,
};

/** Whether Node calls this format TypeScript whose types it strips itself. */
export const isTypeScript = (format: string | undefined): format is string => format !== undefined && format in FORMATS;

/** The format of the resulting JavaScript: undefined if Node finds out from the text. */
export const strippedFormat = (format: string): 'commonjs' | 'module' | undefined => FORMATS[format];

const transforms = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(' ')].includes(
  '--experimental-transform-types',
);

type Compile = (this: object, content: string, filename: string, format: string) => unknown;

let isSaid = !transforms;

/** Node says once that it transforms types, where it does that itself: for an empty text. */
const letNodeSay = (): void => {
  if (isSaid) return;
  isSaid = true;
  const { Module } = module as unknown as { Module: new (id: string) => { _compile: Compile } };
  new Module('')._compile('', '/dev/null.cts', 'commonjs-typescript');
};

/**
 * JavaScript from TypeScript, as Node itself makes it before it runs the text: positions stay. Undefined if Node does not offer
 * this or refuses the text; then Node reports the error.
 */
export const stripTypes = (source: string, file: string): string | undefined => {
  const strip = (module as StripModule).stripTypeScriptTypes;
  if (strip === undefined) return undefined;
  const { emitWarning } = process;
  try {
    letNodeSay();
    // The function warns that it is experimental; the program did not call it.
    process.emitWarning = () => {};
    return strip(source, transforms ? { mode: 'transform', sourceMap: true, sourceUrl: file } : { mode: 'strip' });
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
};
