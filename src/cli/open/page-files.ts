import { type PageFileName, pageFile } from '../../dump/page-file.js';
import type { PageRoute } from './page-server.js';

/** The files of the page, which stand beside the bundle. */
const FILES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8', asks: 'document' },
  { path: '/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8', asks: 'page' },
  { path: '/icon.svg', file: 'icon.svg', type: 'image/svg+xml', asks: 'page' },
  { path: '/page.css', file: 'page.css', type: 'text/css; charset=utf-8', asks: 'page' },
] as const satisfies readonly { readonly file: PageFileName; readonly [name: string]: string }[];

/** The page itself: it is the same for everybody, and shows nothing without the token. */
export const PAGE_ROUTES: readonly PageRoute[] = FILES.map(({ path, file, type, asks }) => ({
  path,
  asks,
  method: 'GET',
  answer: (_request, response) => void response.writeHead(200, { 'content-type': type }).end(pageFile(file)),
}));
