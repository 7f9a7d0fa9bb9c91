/** An Error with an errno's name as its code. */
export const failure = (code: string, message: string): Error => Object.assign(new Error(`${code}: ${message}`), { code });
