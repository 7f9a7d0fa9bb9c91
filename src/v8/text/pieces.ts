/**
 * The pieces that the instrumenter inserts into a source. `P` stands for the file's prefix, `K` and `J` for numbers of `try`
 * statements. Names made of the prefix: `Ps` the activation's token, `Pq` a value on its way, `Pt` the depth to unwind to,
 * `Pr`/`Pp` a return that waits for a `finally`, and its value; the cells `Px`/`Py` exit (of a synchronous function, of a
 * coroutine), `Pz` suspend, `Pw`/`Pv` resume (after await, after yield), `Pk` end of a coroutine, `Pd` depth, `Pu` unwind. An
 * entry (piece 0) is composed in entry.ts. `Pln` is the cell of the statements of function n. `Pc` is what was caught.
 *
 * Each piece must be recognizable on its own, wherever it stands (restore.ts): no piece is a piece of another
 * piece's text, none holds a line break, and only the `semicolon` ones hold a `;`.
 *
 * The numbers are stored in the transform cache: a change here must change TEXT_FORMAT.
 */
export const PIECES = {
  entry: '',
  /** The site of a statement, composed in statement.ts. */
  statement: '',
  /** No text: where a frame is while it runs in the piece that follows. */
  place: '',
  /** What a `catch` begins with, composed in caught.ts. */
  caught: '',

  /** Before a value that is returned, or a wait; its assignment names no function, as the target has parentheses. */
  value: '((Pq)=',
  exitValue: ',Ps&&Px(Ps,Pq),Pq)',

  /** Opens braces around one statement that ended only by a line break. */
  blockOpen: '{/*P*/',
  blockClose: '/*P*/}',
  /** Starts a statement with a name, so that an inserted `(` cannot continue the line before. */
  lead: 'Pq,',
  semicolon: '/*Pe*/;',

  exitValueCoroutine: ',Ps&&Py(Ps,Pq),Pq)',
  /** Around a value that is a list with commas. */
  listOpen: '/*P*/(',
  listClose: '/*P*/)',
  exitVoid: ' void(Ps&&Px(Ps))',
  exitVoidCoroutine: ' void(Ps&&Py(Ps))',
  exit: '{Ps&&Px(Ps)}',
  exitCoroutine: '{Ps&&Py(Ps)}',

  try: '{var Pt=typeof Pd==="function"&&Pd()}',
  tryFinally: '{var Pt=typeof Pd==="function"&&Pd(),Pr=Pr===K?0:Pr,Pp}',
  /** Where a `finally` begins; a `catch` hands over what it has caught, too (caught.ts). */
  unwind: '{Pt&&Pu(Pt)}',
  /** An unwinding without a mark, because the wait itself threw: the mark to return to when this block throws. */
  unwindAsync: '{Ps&&Pw(Ps),Pt?Pu(Pt):Pt=typeof Pd==="function"&&Pd()}',
  unwindGenerator: '{Ps&&Pv(Ps),Pt?Pu(Pt):Pt=typeof Pd==="function"&&Pd()}',
  /** The parameter of a `catch` without one. */
  catchParameter: '(Pc)',
  pendingValue: '((Pp)=',
  pendingClose: ',Pr=K,Pp)',
  pendingVoid: ' void(Pr=K,Pp=void 0)',
  pending: '{Pr=K,Pp=void 0}',
  finallyExit: '{Pr===K&&Ps&&Px(Ps,Pp)}',
  finallyExitCoroutine: '{Pr===K&&Ps&&Py(Ps,Pp)}',
  finallyPending: '{Pr===K&&(Pr=J)}',

  suspendOperand: ',Ps&&Pz(Ps),Pq)',
  suspendOperandTry: ',Ps&&Pz(Ps),Pt=0,Pq)',
  /** A generator suspended at `yield` must not keep the value that it yielded. */
  suspendYield: ',Ps&&Pz(Ps),[Pq,Pq=0][0])',
  suspendYieldTry: ',Ps&&Pz(Ps),Pt=0,[Pq,Pq=0][0])',
  /** Before an operand whose evaluation calls nothing. */
  suspendBefore: '((Pq)=Ps&&Pz(Ps),',
  suspendBeforeTry: '((Pq)=Ps&&Pz(Ps),Pt=0,',
  suspendBare: '(Pq=Ps&&Pz(Ps),(Pq)=',
  suspendBareTry: '(Pq=Ps&&Pz(Ps),Pt=0,(Pq)=',
  suspendBareStatement: 'Pq=Ps&&Pz(Ps),',
  suspendBareStatementTry: 'Pq=Ps&&Pz(Ps),Pt=0,',
  resumeAsync: ',Ps&&Pw(Ps)',
  resumeGenerator: ',Ps&&Pv(Ps)',
  retake: ',Pt=typeof Pd==="function"&&Pd()',
  /** The result of the wait, after `value`. */
  result: ',Pq)',
  /** Around the body of a coroutine whose exceptions become rejections, which no caller's catch would see. */
  guardOpen: 'try{/*P*/',
  guardAsync: '/*P*/}finally{Ps&&Pk(Ps)}',
  guardGenerator: '/*P*/}finally{Ps&&Pk(Ps,1)}',
  suspend: '{Ps&&Pz(Ps)}',
  suspendTry: '{Ps&&Pz(Ps),Pt=0}',
  resume: '{Ps&&Pw(Ps)}',
  /** After the entry of a module that waits: it does so without a site before each wait. */
  waitsUnseen: '{Ps&&Pz(Ps,1)}',
} as const;
export type PieceName = keyof typeof PIECES;

/** Increased when the meaning of stored edits changes, so that a cache never mixes two of them. */
export const TEXT_FORMAT = 13;

let names: readonly PieceName[] | undefined;
let argumentCounts: readonly number[] | undefined;

/** By number. Made when it is first asked for, because most starts of a program need it for no text; so are the counts. */
export const pieceNames = (): readonly PieceName[] => (names ??= Object.keys(PIECES) as PieceName[]);

/** How many numbers each piece has, by the piece's number: K, then J. */
export const pieceArguments = (): readonly number[] =>
  (argumentCounts ??= pieceNames().map((name) => (PIECES[name].includes('J') ? 2 : PIECES[name].includes('K') ? 1 : 0)));
