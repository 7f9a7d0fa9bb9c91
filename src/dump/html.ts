import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { writeColumns } from './columns/columns.js';
import type { Dump, DumpedRecording, DumpOutput } from './dumped-recording.js';
import { ListedSources } from './listed-sources.js';
import { pageFile } from './page-file.js';

/** Bytes that are compressed together: the memory that a dump needs. */
const PIECE = 1 << 20;

/** A source of policy that allows exactly this text. */
const allowed = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A script as it may stand in a page: nothing in it ends the element. */
const scriptText = (text: string): string => text.replaceAll(/<(?=\/script|!--)/gi, '\\x3c');

/** Data as it may stand in a page. */
const jsonText = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** What of the page stands before the recording, and what behind it. The page may load nothing, and send nothing. */
function pageParts(): { readonly head: string; readonly foot: string } {
  const style = pageFile('page.css').toString('utf8');
  const script = scriptText(pageFile('page.js').toString('utf8'));
  const icon = `data:image/svg+xml;base64,${pageFile('icon.svg').toString('base64')}`;
  const policy = `default-src 'none'; script-src ${allowed(script)}; style-src ${allowed(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  const [head = '', foot = ''] = pageFile('index.html')
    .toString('utf8')
    .replace('<meta charset="utf-8">', (meta) => `${meta}\n<meta http-equiv="content-security-policy" content="${policy}">`)
    .replace('href="icon.svg"', () => `href="${icon}"`)
    .replace('<link rel="stylesheet" href="page.css">', () => `<style>${style}</style>`)
    .replace('<script src="page.js" defer></script>\n', '')
    .split(/(?<=<\/div>\n)(?=<\/body>)/);
  return { head, foot: `<script>${script}</script>\n${foot}` };
}

function writePage(recording: DumpedRecording, output: DumpOutput, withSources: boolean): readonly string[] {
  const { head, foot } = pageParts();
  const put = (text: string): boolean => output.write(Buffer.from(text, 'utf8'));
  put(head);
  const piece = new Uint8Array(PIECE);
  let length = 0;
  const flush = (): void => {
    if (length > 0)
      put(`<script type="application/x-fentry">${deflateSync(piece.subarray(0, length)).toString('base64')}</script>\n`);
    length = 0;
  };
  const { warnings, ownFiles } = writeColumns(recording, { name: recording.name }, (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + piece.length - length);
      piece.set(part, length);
      length += part.length;
      at += part.length;
      if (length === piece.length) flush();
    }
  });
  flush();
  if (withSources) put(`<script type="application/json" id="sources">${jsonText(sourcesOf(ownFiles))}</script>\n`);
  put(foot);
  return warnings;
}

/** The texts of those files that can be read. */
function sourcesOf(files: ReadonlySet<string>): Readonly<Record<string, string>> {
  const sources = new ListedSources(files, Number.POSITIVE_INFINITY);
  return Object.fromEntries(
    [...files].flatMap((file) => {
      try {
        return [[file, sources.read(file).text]];
      } catch {
        return [];
      }
    }),
  );
}

/** `--html`: the page with the recording inside. */
export const dump: Dump = (recording, output) => writePage(recording, output, false);

/** `--html-sources`: with the application's sources as well. */
export const dumpWithSources: Dump = (recording, output) => writePage(recording, output, true);
