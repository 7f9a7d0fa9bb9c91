/** Words of small letters as numbers: five bits a letter. So a word is compared, and looked up, in one step. */
import { Kind } from './kinds';

/** What a name means besides being one. */
export enum Special {
  None,
  /** No name in strict code. */
  StrictReserved,
  /** Taken here as names nowhere: what they are depends on what is around. */
  Let,
  Yield,
  Await,
  /** Not bound or assigned in strict code. */
  Arguments,
  Eval,
}

/** The most letters of a word that has a number. */
export const LONGEST: i32 = 12;

/** The number of a word. */
function numberOf(word: string): u64 {
  let number: u64 = 0;
  for (let i = 0; i < word.length; i++) number = (number << 5) | (word.charCodeAt(i) & 31);
  return number;
}

export const OF = numberOf('of');
export const AS = numberOf('as');
export const FROM = numberOf('from');
export const GET = numberOf('get');
export const SET = numberOf('set');
export const LET = numberOf('let');
export const ASYNC = numberOf('async');
export const AWAIT = numberOf('await');
export const YIELD = numberOf('yield');
export const STATIC = numberOf('static');
export const TARGET = numberOf('target');
export const META = numberOf('meta');

/** A table of words by a part of their product with a factor: a row is a word, its kind of token, and what is special of it. */
const BITS: i32 = 9;
const ROW: i32 = 16;
const FACTOR: u64 = 0x9e3779b97f4a7;
const TABLE: usize = memory.data(ROW << BITS, 8);

function rowOf(word: u64): usize {
  let index = <i32>((word * FACTOR) >> (64 - BITS));
  while (true) {
    const row = TABLE + index * ROW;
    const known = load<u64>(row);
    if (known === word || known === 0) return row;
    index = (index + 1) & ((1 << BITS) - 1);
  }
}

/** The kind of the token that a word is. */
export function kindOf(word: u64): i32 {
  const row = rowOf(word);
  return load<u64>(row) === 0 ? Kind.Name : load<i32>(row, 8);
}

/** What is special of a word that is a name. */
export function specialOf(word: u64): i32 {
  const row = rowOf(word);
  return load<u64>(row) === 0 ? Special.None : load<i32>(row, 12);
}

function add(word: string, kind: i32, special: i32 = Special.None): void {
  const number = numberOf(word);
  const row = rowOf(number);
  store<u64>(row, number);
  store<i32>(row, kind, 8);
  store<i32>(row, special, 12);
}

add('break', Kind.Break);
add('case', Kind.Case);
add('catch', Kind.Catch);
add('class', Kind.Class);
add('const', Kind.Const);
add('continue', Kind.Continue);
add('debugger', Kind.Debugger);
add('default', Kind.Default);
add('delete', Kind.Delete);
add('do', Kind.Do);
add('else', Kind.Else);
add('enum', Kind.Enum);
add('export', Kind.Export);
add('extends', Kind.Extends);
add('false', Kind.False);
add('finally', Kind.Finally);
add('for', Kind.For);
add('function', Kind.Function);
add('if', Kind.If);
add('import', Kind.Import);
add('in', Kind.In);
add('instanceof', Kind.InstanceOf);
add('new', Kind.New);
add('null', Kind.Null);
add('return', Kind.Return);
add('super', Kind.Super);
add('switch', Kind.Switch);
add('this', Kind.This);
add('throw', Kind.Throw);
add('true', Kind.True);
add('try', Kind.Try);
add('typeof', Kind.TypeOf);
add('var', Kind.Var);
add('void', Kind.Void);
add('while', Kind.While);
add('with', Kind.With);
add('implements', Kind.Name, Special.StrictReserved);
add('interface', Kind.Name, Special.StrictReserved);
add('package', Kind.Name, Special.StrictReserved);
add('private', Kind.Name, Special.StrictReserved);
add('protected', Kind.Name, Special.StrictReserved);
add('public', Kind.Name, Special.StrictReserved);
add('static', Kind.Name, Special.StrictReserved);
add('let', Kind.Name, Special.Let);
add('yield', Kind.Name, Special.Yield);
add('await', Kind.Name, Special.Await);
add('arguments', Kind.Name, Special.Arguments);
add('eval', Kind.Name, Special.Eval);
