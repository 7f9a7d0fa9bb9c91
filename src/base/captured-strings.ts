/**
 * The methods of strings as they were when fentry was loaded, each a function of the text: for code that runs in the threads of a
 * program, which may replace the built-in ones.
 */
const { call } = Function.prototype;

export const startsWith: (text: string, part: string) => boolean = call.bind(String.prototype.startsWith);
export const endsWith: (text: string, part: string) => boolean = call.bind(String.prototype.endsWith);
export const includes: (text: string, part: string) => boolean = call.bind(String.prototype.includes);
export const charCodeAt: (text: string, index: number) => number = call.bind(String.prototype.charCodeAt);
