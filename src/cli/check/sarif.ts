import { pathToFileURL } from 'node:url'
import type { FileCheck, Level, Problem } from '../../guidance/interchange/file-check/problem.ts'
import { REFUSALS } from '../../platform/errors.ts'
import { GUIDE } from '../../wording/guide.ts'

const LEVELS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', advice: 'note' }

interface SarifInput {
  /** As it was named: relative to the folder of the run, as pipelines need it. */
  readonly file: string
  readonly check: FileCheck
  /** The version of this program. */
  readonly version: string
}

/** The problems of files in the Static Analysis Results Interchange Format 2.1.0 (OASIS). */
export function toSarif(inputs: readonly SarifInput[]): object {
  const codes = [...new Set(inputs.flatMap(({ check }) => check.problems.map(({ code }) => code)))].sort()
  const places = new Map(codes.map((code, at) => [code, at]))
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Parapet', version: inputs[0]?.version ?? '0', rules: codes.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        results: inputs.flatMap(({ file, check }) =>
          check.problems.map((problem) => resultOf(problem, { file, ruleIndex: places.get(problem.code) ?? 0 })),
        ),
      },
    ],
  }
}

function ruleOf(id: string): object {
  return { id, shortDescription: { text: describeCode(id) } }
}

/** The sentence of a code of the guide, and the title of one of a refusal; others are their own names. */
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(REFUSALS).map(([code, { title }]): [string, string] => [code, title]),
  ...Object.entries(GUIDE),
])

function describeCode(code: string): string {
  return DESCRIPTIONS.get(code) ?? code.replaceAll('_', ' ')
}

function resultOf(
  problem: Problem,
  { file, ruleIndex }: { readonly file: string; readonly ruleIndex: number },
): object {
  const { level, code, quote, suggestion } = problem
  const line = problem.line ?? problem.row
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[level],
    message: { text: messageOf(problem) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file) },
          // Viewers show only results that have a place in the file.
          region: { startLine: line ?? 1 },
        },
        ...logicalLocations(problem),
      },
    ],
    ...((quote !== '' || suggestion !== null) && { properties: { quote, suggestion } }),
  }
}

function messageOf({ rule, field, message, quote, member, cell }: Problem): string {
  const place = [member, rule, field, cell].filter((part) => part !== null).join(', ')
  const said = quote === '' ? message : `${message} (“${quote}”)`
  return place === '' ? said : `${place}: ${said}`
}

function logicalLocations({ member, rule, field }: Problem): object {
  const name = [member, rule, field].filter((part) => part !== null).join('/')
  return name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: name }] }
}

/** A relative reference stays relative, with the characters encoded that no URI may have. */
function toUri(file: string): string {
  if (/^(?:\/|[A-Za-z]:)/.test(file)) return pathToFileURL(file).href
  return file.split(/[\\/]/).map(encodeURIComponent).join('/')
}
