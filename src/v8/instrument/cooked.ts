const PLAIN: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f', 0: '\0' };

const ESCAPE = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[\s\S]))/g;

/** What the text between quotes stands for, whose escapes are right and none of old octal form. */
export const cooked = (raw: string): string =>
  raw.includes('\\')
    ? raw.replace(ESCAPE, (_, point?: string, unit?: string, byte?: string, other?: string) => {
        const code = point ?? unit ?? byte;
        if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
        return /[\r\n\u2028\u2029]/.test(other as string) ? '' : (PLAIN[other as string] ?? (other as string));
      })
    : raw;
