/**
 * The numbers that the parser (AssemblyScript) and what reads its tree (TypeScript) share: this file is compiled by both.
 */

/** How a text is read. */
export enum Source {
  Script,
  Commonjs,
  Module,
}

/** Kinds of tokens. Operators of a node are kept as the kind of their token. */
export enum Kind {
  End,
  Name,
  PrivateName,
  Number,
  Bigint,
  String,
  Template,
  // Punctuation.
  ParenOpen,
  ParenClose,
  BracketOpen,
  BracketClose,
  BraceOpen,
  BraceClose,
  Semicolon,
  Comma,
  Colon,
  Dot,
  OptionalDot,
  Ellipsis,
  Arrow,
  Question,
  // Assignment operators, `=` first.
  Assign,
  AssignAdd,
  AssignSubtract,
  AssignMultiply,
  AssignDivide,
  AssignRemainder,
  AssignPower,
  AssignShiftLeft,
  AssignShiftRight,
  AssignShiftRightZero,
  AssignAnd,
  AssignOr,
  AssignXor,
  AssignBothTrue,
  AssignEitherTrue,
  AssignCoalesce,
  // Binary operators; the three logical ones come first.
  EitherTrue,
  Coalesce,
  BothTrue,
  Or,
  Xor,
  And,
  Equal,
  NotEqual,
  Same,
  NotSame,
  Less,
  Greater,
  LessOrEqual,
  GreaterOrEqual,
  InstanceOf,
  In,
  ShiftLeft,
  ShiftRight,
  ShiftRightZero,
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Power,
  // Unary operators; those that change a variable first.
  Increment,
  Decrement,
  Not,
  Complement,
  TypeOf,
  Void,
  Delete,
  // Words of the language.
  Break,
  Case,
  Catch,
  Class,
  Const,
  Continue,
  Debugger,
  Default,
  Do,
  Else,
  Export,
  Extends,
  False,
  Finally,
  For,
  Function,
  If,
  Import,
  New,
  Null,
  Return,
  Super,
  Switch,
  This,
  Throw,
  True,
  Try,
  Var,
  While,
  With,
  Enum,
}

/** Types of nodes, by the names of ESTree. `Hole` is an element that an array leaves out. */
export enum Type {
  Hole,
  Program,
  // Statements.
  ExpressionStatement,
  BlockStatement,
  EmptyStatement,
  DebuggerStatement,
  ReturnStatement,
  LabeledStatement,
  BreakStatement,
  ContinueStatement,
  IfStatement,
  SwitchStatement,
  SwitchCase,
  ThrowStatement,
  TryStatement,
  CatchClause,
  WhileStatement,
  DoWhileStatement,
  ForStatement,
  ForInStatement,
  ForOfStatement,
  FunctionDeclaration,
  VariableDeclaration,
  VariableDeclarator,
  ClassDeclaration,
  // Of modules.
  ImportDeclaration,
  ImportSpecifier,
  ImportDefaultSpecifier,
  ImportNamespaceSpecifier,
  ImportAttribute,
  ExportNamedDeclaration,
  ExportSpecifier,
  ExportDefaultDeclaration,
  ExportAllDeclaration,
  // Expressions.
  Identifier,
  PrivateIdentifier,
  Literal,
  ThisExpression,
  Super,
  ArrayExpression,
  ObjectExpression,
  Property,
  FunctionExpression,
  ArrowFunctionExpression,
  ClassExpression,
  ClassBody,
  MethodDefinition,
  PropertyDefinition,
  StaticBlock,
  TemplateLiteral,
  TemplateElement,
  TaggedTemplateExpression,
  MemberExpression,
  CallExpression,
  NewExpression,
  ChainExpression,
  ImportExpression,
  MetaProperty,
  SpreadElement,
  ParenthesizedExpression,
  SequenceExpression,
  UnaryExpression,
  UpdateExpression,
  BinaryExpression,
  LogicalExpression,
  AssignmentExpression,
  ConditionalExpression,
  AwaitExpression,
  YieldExpression,
  // Patterns.
  ObjectPattern,
  ArrayPattern,
  AssignmentPattern,
  RestElement,
}

/**
 * The first word of a node: its type in the low byte, these bits, and in the high byte what its type says (`DETAIL`). Then the
 * addresses in the parser's memory at which its text begins and ends, the address of the next node of the same list, and one
 * word for each of its fields: the address of a node, of a list's first node, or 0.
 */
export enum Flag {
  /** Nothing in the node has a site, or decides one. */
  Plain = 0x100,
  Computed = 0x200,
  Static = 0x400,
  Async = 0x800,
  Generator = 0x1000,
  Optional = 0x2000,
  /** The parameters of a function are at most `Most.Names` different names, of which no function of its body has one. */
  Simple = 0x2000,
  /** A prefix operator; a method of an object. */
  Prefix = 0x4000,
  Method = 0x4000,
  Shorthand = 0x8000,
  Delegate = 0x8000,
  /** A statement of a prologue; a block that begins with one. */
  Directive = 0x8000,
  /** A block with a declaration of a function among its statements, labelled or not. */
  Declares = 0x4000,
  Awaits = 0x8000,
  /** Only while parsing: a comma follows what may become a rest element; a string that may become a directive. */
  Comma = 0x10000,
}

/** The most parameters of a function whose values its entry passes: a reader does not read more in one line of a trace. */
export enum Most {
  Names = 16,
}

/** Bits to shift a node's first word by for its detail: an operator (Kind), a kind of property or declaration, of literal. */
export enum Shift {
  Detail = 24,
}

/** Words of a node before its fields. */
export enum Word {
  First,
  Start,
  End,
  Next,
  Fields,
}

/** The detail of a property, of a method, or of a declaration of variables. */
export enum Sort {
  Init,
  Get,
  Set,
  Method,
  Constructor,
  Var,
  Let,
  Const,
}

/** The detail of a literal. */
export enum Value {
  String,
  Number,
  Bigint,
  Regexp,
  Null,
  True,
  False,
}
