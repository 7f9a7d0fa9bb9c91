/** The words from the command's name to the cursor; the last one is still being typed. */
export function commandWords(line: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  let isOpen = false;
  for (let i = 0; i < line.length; i++) {
    const sign = line[i]!;
    if (quote === '' && /\s/.test(sign)) {
      if (isOpen) words.push(word);
      word = '';
      isOpen = false;
    } else {
      isOpen = true;
      if (sign === quote) quote = '';
      else if (quote === '' && (sign === '"' || sign === "'")) quote = sign;
      else if (sign === '\\' && quote !== "'" && i + 1 < line.length) word += line[++i]!;
      else word += sign;
    }
  }
  return [...words, word];
}
