import { pathToFileURL } from 'node:url'
import type { FileCheck, Level, Problem } from '../../guidance/interchange/file-check/problem.ts'
import { REFUSALS } from '../../platform/errors.ts'
import { GUIDE } from '../../wording/guide.ts'

const LEVELS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', advice: 'note' }

interface SarifInput {
  /** The name from the command line. Pipelines need a path relative to the working folder. */
  readonly file: string
  readonly check: FileCheck
  /** The version of this program. */
  readonly version: string
}

/** The problems of files in the Static Analysis Results Interchange Format 2.1.0 (OASIS). */
export function toSarif(inputs: readonly SarifInput[]): object {
  const codes = [...new Set(inputs.flatMap(({ check }) => check.problems.map(({ code }) => code)))].sort()
  const ruleIndexes = new Map(codes.map((code, index) => [code, index]))
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Parapet', version: inputs[0]?.version ?? '0', rules: codes.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        results: inputs.flatMap(({ file, check }) =>
          check.problems.map((problem) => resultOf(problem, { file, ruleIndex: ruleIndexes.get(problem.code) ?? 0 })),
        ),
      },
    ],
  }
}

function ruleOf(id: string): object {
  return { id, shortDescription: { text: DESCRIPTIONS.get(id) ?? id.replaceAll('_', ' ') } }
}

/** Descriptions of codes: rules of the guide, and titles of refusals. */
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(REFUSALS).map(([code, { title }]): [string, string] => [code, title]),
  ...Object.entries(GUIDE),
])

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
          // Viewers only show results with a region.
          region: { startLine: line ?? 1 },
        },
        ...logicalLocations(problem),
      },
    ],
    ...((quote !== '' || suggestion !== null) && { properties: { quote, suggestion } }),
  }
}

function messageOf({ rule, field, message, quote, member, cell }: Problem): string {
  // Warnings about XCCDF may already name the rule.
  const isNamed = rule !== null && message.includes(rule)
  const location = [member, isNamed ? null : rule, field, cell].filter((part) => part !== null).join(', ')
  const text = quote === '' ? message : `${message} (“${quote}”)`
  return location === '' ? text : `${location}: ${text}`
}

function logicalLocations({ member, rule, field }: Problem): object {
  const name = [member, rule, field].filter((part) => part !== null).join('/')
  return name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: name }] }
}

/** Encodes the name as a URI; a relative path stays relative. */
function toUri(file: string): string {
  if (/^(?:\/|[A-Za-z]:)/.test(file)) return pathToFileURL(file).href
  return file.split(/[\\/]/).map(encodeURIComponent).join('/')
}
