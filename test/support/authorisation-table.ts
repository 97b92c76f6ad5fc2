import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The columns of `docs/authorisation.md`, from the sixth on. */
export const PERSONAS = [
  'anonymous',
  'stranger',
  'stranger, discoverable',
  'viewer',
  'author',
  'reviewer',
  'project admin',
  'site admin',
  'token read',
  'token write',
  'token admin',
  'site token',
] as const

export type Persona = (typeof PERSONAS)[number]

export interface Row {
  readonly methods: readonly string[]
  readonly path: string
  /** Empty if the endpoint has one row. */
  readonly case: string
  readonly rule: string
  readonly authentication: string
  /** `ok` or a status; an empty cell has the value of the stranger's column. */
  readonly outcomes: Readonly<Record<Persona, string>>
}

const HEAD = ['method', 'path', 'case', 'rule', 'authentication', ...PERSONAS]

const cells = z.array(z.string()).length(HEAD.length)

const outcome = z.enum(['ok', '401', '403', '404', '422', '–'])

/** Reads the table; throws if it has another form. */
export function readAuthorisationTable(): readonly Row[] {
  const lines = readFileSync('docs/authorisation.md', 'utf8').split('\n')
  const [head, , ...body] = lines.filter((line) => line.startsWith('|')).map(cellsOf)
  if (JSON.stringify(head) !== JSON.stringify(HEAD)) throw new Error('The table has other columns')
  return body.map(rowOf)
}

function cellsOf(line: string): readonly string[] {
  const parts = line.split('|').slice(1, -1)
  return cells.parse(parts.map((cell) => cell.trim().replaceAll('`', '')))
}

function rowOf(row: readonly string[]): Row {
  const [methods = '', path = '', name = '', rule = '', authentication = '', ...given] = row
  const [, stranger = ''] = given
  const outcomes = PERSONAS.map((persona, index) => {
    const written = outcome.parse(given[index])
    return [persona, written === '–' ? stranger : written]
  })
  return {
    methods: methods.split(', '),
    path,
    case: name,
    rule,
    authentication,
    outcomes: z.record(z.enum(PERSONAS), z.string()).parse(Object.fromEntries(outcomes)),
  }
}
