import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BreakpointText, LoadedScript } from '../../breakpoints/breakpoint-text.js';
import { decodeFunctions, encodeFunctions } from '../../loader/function-table.js';
import type { LinkEvent } from '../../loader/link-event.js';
import { LinkTable } from '../../loader/link-table.js';
import { type LinkDetail, Linker, type SourceReading } from '../../loader/linker.js';
import { textCache } from '../../loader/text-caches.js';
import type { ProcessShare } from '../../shared/protocol.js';
import { deserializeEdits } from '../../text/index.js';
import { breakpointFunctions } from './breakpoint-functions.js';

const require = createRequire(import.meta.url);

/** V8's hash of a script's text. Loaded late, because only an attached process needs crypto. */
function sha256(text: string): string {
  const { createHash } = require('node:crypto') as typeof import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}

/** A script of one thread as the rest of the control thread sees it. */
export interface LinkedScript {
  readonly link: LinkEvent;
  /** Undefined if nothing in it can be reached. */
  readonly text: BreakpointText | undefined;
}

/** What is needed to find the texts. */
export interface LoadedTextsOptions {
  readonly share: Pick<ProcessShare, 'links'>;
  /** URL of the folder of fentry's own files. */
  readonly fentryFolder: string;
  /** The transform cache; undefined for none. */
  readonly cacheFolder: string | undefined;
  readonly preparedFolders: readonly string[];
}

/** The texts that threads had loaded before fentry was attached: read again, and listed as if they had sites. */
export class LoadedTexts {
  readonly #linker: Linker;
  readonly #linked = new Map<string, { readonly link: LinkEvent; readonly detail: LinkDetail | undefined }>();
  #last: { readonly link: LinkEvent; readonly detail: LinkDetail | undefined } | undefined;

  constructor({ share, fentryFolder, cacheFolder, preparedFolders }: LoadedTextsOptions) {
    this.#linker = new Linker({
      realm: undefined,
      cache: textCache(cacheFolder, preparedFolders),
      links: new LinkTable(share.links),
      fentryFolder,
      selects: () => true,
      selectsStatements: () => false,
      hasModuleSites: false,
      onLink: (link, detail) => {
        this.#last = { link, detail };
      },
    });
  }

  /** The source of a script from its file; undefined if it differs from what V8 compiled, or there is no file. */
  sourceOf({ url, hash }: LoadedScript): string | undefined {
    try {
      const source = readFileSync(pathOf(url), 'utf8').replace(/^\ufeff/, '');
      return sha256(source) === hash ? source : undefined;
    } catch {
      return undefined;
    }
  }

  /** The functions of a script; undefined when it has none. */
  link({ scriptId, url, isModule, hash }: LoadedScript, source: string): LinkedScript | undefined {
    const path = pathOf(url);
    const key = `${url}\n${hash}`;
    let made = this.#linked.get(key);
    if (made === undefined) {
      const type = isModule ? 'module' : 'commonjs';
      // With a separate name: if a thread loads the same text with sites, those are other functions.
      const readings: readonly SourceReading[] = [{ type, name: `loaded-before:${url}` }];
      this.#last = undefined;
      this.#linker.link(source, path, readings);
      made = this.#last;
      if (made === undefined) return undefined;
      this.#linked.set(key, made);
    }
    return withBreakpoints(made.link, made.detail, source, isModule ? fileUrl(path) : path, scriptId);
  }
}

function withBreakpoints(
  link: LinkEvent,
  detail: LinkDetail | undefined,
  source: string,
  file: string,
  scriptId: string,
): LinkedScript {
  const edits = detail && deserializeEdits(detail.edits);
  if (edits === undefined) return { link, text: undefined };
  const { firstFunction, base, functionCount } = link;
  const { functions, places } = breakpointFunctions(source, decodeFunctions(link.functions, functionCount), edits);
  return {
    link: { ...link, isLoadedBefore: true, functions: encodeFunctions(functions) },
    text: { firstFunction, base, file, scriptIds: [scriptId], functions: places },
  };
}

const pathOf = (url: string): string => (url.startsWith('file:') ? fileURLToPath(url) : url);
const fileUrl = (path: string): string => (path.startsWith('/') ? pathToFileURL(path).href : path);
