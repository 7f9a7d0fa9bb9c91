import { readFileSync } from 'node:fs';

/** The files of the page, which stand beside the bundle, or beside this module. */
export type PageFileName = 'index.html' | 'page.js' | 'page.css' | 'icon.svg';

/** The bytes of a file of the page. */
export const pageFile = (name: PageFileName): Buffer => readFileSync(new URL(`./page/${name}`, import.meta.url));
