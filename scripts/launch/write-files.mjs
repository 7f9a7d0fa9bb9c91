// Writes a table of files: a text, a link, or a text with the mode of its file.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function writeFiles(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string') writeFileSync(file, content);
    else if (content.link !== undefined) symlinkSync(content.link, file);
    else writeFileSync(file, content.text, { mode: content.mode });
  }
}
