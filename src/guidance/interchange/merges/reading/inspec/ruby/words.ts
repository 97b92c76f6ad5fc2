/** The parts of Ruby's grammar that matter for finding blocks and strings. All patterns are sticky. */

const LETTER = String.raw`A-Za-z_\u0080-\uffff`
const NAME = `[${LETTER}][${LETTER}0-9]*`
const OPERATORS = String.raw`\[\]=?|\*\*|[+\-!~]@|<=>|===?|=~|![=~]|<<|>>|<=|>=|[<>*/%&|^+\-!~]|` + '`'

export function isStart(character: string): boolean {
  return /[A-Za-z_\u0080-\uffff]/.test(character)
}

export const WORD = new RegExp(`${NAME}(?:[?!](?!=(?![=~>])))?`, 'y')
export const OPERATOR_NAME = new RegExp(OPERATORS, 'y')
export const NUMBER = /0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?[ri]*/y
export const VARIABLE = new RegExp(String.raw`@@?${NAME}|\$(?:${NAME}|\d+|-\w|[^\w\s])`, 'y')
export const SYMBOL_WORD = new RegExp(`:@{0,2}\\$?${NAME}(?:[?!](?!=)|=(?![=~>]))?`, 'y')
export const SYMBOL = new RegExp(`${SYMBOL_WORD.source}|:(?:${OPERATORS})`, 'y')
export const CHARACTER = /\?(?:\\(?:u[\da-fA-F]{1,4}|(?:[CM]-|c)\\?.|[\s\S])|\S(?![A-Za-z0-9_]))/y
export const ASSIGNMENT = /[ \t]*(?:\|\||&&|[-+*/%&|^]|<<|>>)?=(?![=~>])/y
export const HEREDOC = new RegExp(`<<([~-]?)(?:(["'\`])([^\\n]*?)\\2|(${NAME}))`, 'y')
export const PERCENT = /%([qQwWiIrsx]?)([^\w\s])/y
export const SIGN = /\.\.\.?|&\.|::|->|=>|<=>|===?|=~|![=~]|\*\*=?|&&=?|\|\|=?|<<=?|>>=?|<=|>=|[-+*/%&|^]=|[^\w\s]/y

export const CLOSING: Readonly<Record<string, ')' | ']' | '}'>> = { '(': ')', '[': ']', '{': '}' }

/** Signs before the name of a method. */
export const BEFORE_NAMES: ReadonlySet<string> = new Set(['.', '&.', '::'])

/** Signs after which the end of a line ends a statement. */
export const ENDS: ReadonlySet<string> = new Set([')', ']', '}', ';', '|', '{'])

/** Words after which a statement continues in the next line. */
export const CONNECTIVES: ReadonlySet<string> = new Set(['and', 'or', 'not'])

/** Words that open a block anywhere. */
export const OPENING: ReadonlySet<string> = new Set(['class', 'module', 'def', 'begin', 'case', 'for', 'do'])
/** Words that open a block unless they follow a value. */
export const CONDITIONS: ReadonlySet<string> = new Set(['if', 'unless', 'while', 'until'])
export const LOOPS: ReadonlySet<string> = new Set(['while', 'until', 'for'])

/**
 * The parts that may come next, as in Ruby's lexer: a value; only an operator; either of both, after a word that may be
 * a method; a name after a dot; or after `return`, a value, or an `if` without an `end`.
 */
export type Expectation = 'value' | 'operator' | 'argument' | 'name' | 'returned'

const AFTER: Readonly<Record<Expectation, string>> = {
  value: 'if unless while until case when in then else elsif do begin ensure rescue and or not class module for',
  operator: 'self nil true false redo retry __FILE__ __LINE__ __ENCODING__',
  returned: 'return break next',
  name: 'def alias undef',
  argument: 'yield super defined?',
}

const EXPECTATIONS = ['value', 'operator', 'returned', 'name', 'argument'] as const

export const EXPECTED_AFTER: ReadonlyMap<string, Expectation> = new Map(
  EXPECTATIONS.flatMap((expected) => AFTER[expected].split(' ').map((word) => [word, expected] as const)),
)
