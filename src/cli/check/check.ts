import { programVersion } from '../../commands/backups/program-version.ts'
import { runCommand, UsageRefusal } from '../../commands/command.ts'
import { formatTable } from '../../commands/table.ts'
import { checkFile } from '../../guidance/interchange/file-check/check-file.ts'
import { type FileCheck, type Level, LEVELS, type Problem } from '../../guidance/interchange/file-check/problem.ts'
import { encodingOf, kindOf } from '../file-options.ts'
import { deliver, formatOf, OUTPUT_OPTIONS, toJson } from '../output.ts'
import { escapeControls, type Style, styleOf } from '../terminal.ts'
import { withFileName } from '../with-file-name.ts'

type ProblemLocation = Pick<Problem, 'member' | 'line' | 'row' | 'cell' | 'rule' | 'field'>

const USAGE = `Usage: parapet check FILE... [options]

Says what is wrong in files of rules and where: XCCDF, a zip of benchmarks, a spreadsheet (CSV or XLSX) or an archive.
An error means that it cannot be read, a warning that something was read differently; advice is about words of rules.

  --json             JSON, also on a terminal
  --format FORMAT    table, json or sarif (SARIF 2.1.0, for pipelines)
  --out FILE         write to this file
  --fail-on LEVEL    the lowest level that counts: error (default), warning, advice, or never
  --no-advice        leave the advice on words out
  --kind KIND        srg or stig, for benchmarks that do not say it
  --encoding NAME    utf-8, windows-1252 or utf-16, for CSV files; default: what their bytes show
  --version V        the version of benchmarks that have none

Exit status: 0 nothing that counts, 1 something that counts, 2 the check was not possible.`

const OPTIONS = {
  ...OUTPUT_OPTIONS,
  'fail-on': { type: 'string', default: 'error' },
  'no-advice': { type: 'boolean', default: false },
  kind: { type: 'string' },
  encoding: { type: 'string' },
  version: { type: 'string' },
} as const

const OPERANDS = { least: 1, most: 100, missing: 'Name a file.' }
const EXIT_WITH_FAULTS = 1

const command = { usage: USAGE, options: OPTIONS, operands: OPERANDS, refusedStatus: 2 }

interface NamedCheck {
  readonly file: string
  readonly check: FileCheck
}

await runCommand(command, async ({ kind, version, encoding, ...values }, files) => {
  const format = formatOf(values, ['sarif'])
  const counted = countedLevels(values['fail-on'])
  const options = { documentType: kindOf(kind), version, encoding: encodingOf(encoding) }
  const checks: NamedCheck[] = []
  for (const file of files) {
    const check = await withFileName(file, () => checkFile(file, { name: file, ...options }))
    checks.push({ file, check: values['no-advice'] ? withoutAdvice(check) : check })
  }
  const text = await write(checks, format)
  const isFaulty = checks.some(({ check }) => check.problems.some(({ level }) => counted.includes(level)))
  if (isFaulty) process.exitCode = EXIT_WITH_FAULTS
  return deliver(text, values)
})

function countedLevels(lowest: string): readonly Level[] {
  if (lowest === 'never') return []
  const index = LEVELS.findIndex((level) => level === lowest)
  if (index === -1) throw new UsageRefusal(`--fail-on ${lowest}: must be one of ${LEVELS.join(', ')}, never.`)
  return LEVELS.slice(0, index + 1)
}

function withoutAdvice(check: FileCheck): FileCheck {
  return { ...check, problems: check.problems.filter(({ level }) => level !== 'advice') }
}

async function write(checks: readonly NamedCheck[], format: 'table' | 'json' | 'sarif'): Promise<string> {
  if (format === 'json') return toJson(checks.map(({ file, check }) => ({ file, ...check })))
  if (format === 'table')
    return checks.map(({ file, check }) => showCheck(file, check, styleOf(process.stdout))).join('\n\n')
  const { toSarif } = await import('./sarif.ts')
  return toJson(toSarif(checks.map((namedCheck) => ({ ...namedCheck, version: programVersion() }))))
}

/** Shows what is wrong in a file: its documents, and a paragraph for each problem. */
function showCheck(file: string, { documents, problems }: FileCheck, style: Style): string {
  const table = formatTable(
    ['kind', 'name', 'version', 'rules', 'member'],
    documents.map(({ kind, name, version, rules, member }) => [
      kind,
      escapeControls(name),
      version ?? '',
      rules,
      member === null ? '' : escapeControls(member),
    ]),
  )
  const head = documents.length === 0 ? style.bold(file) : `${style.bold(file)}\n${table}`
  return [head, ...problems.map((problem) => showProblem(problem, style)), summarise(problems)].join('\n\n')
}

function showProblem({ level, code, message, quote, suggestion, ...place }: Problem, style: Style): string {
  const colour = { error: style.red, warning: style.yellow, advice: style.green }[level]
  const head = [describePlace(place), `${colour(level)} ${style.dim(code)}`].filter((part) => part !== '').join('  ')
  const lines = [
    message,
    ...(quote === '' ? [] : [style.dim(`“${quote.replaceAll(/\s+/g, ' ')}”`)]),
    ...(suggestion === null || suggestion === '' ? [] : [`Instead: ${suggestion}`]),
  ]
  return [head, ...lines.map((line) => `  ${escapeControls(line).replaceAll('\n', '\n  ')}`)].join('\n')
}

function describePlace({ member, line, row, cell, rule, field }: ProblemLocation): string {
  const parts = [member, line === null ? null : `line ${line}`, row === null ? null : `row ${row}`, cell, rule, field]
  return escapeControls(parts.filter((part) => part !== null).join(', '))
}

/** `1 error, 2 warnings, 30 pieces of advice.` */
function summarise(problems: readonly Problem[]): string {
  const count = (level: Problem['level']): number => problems.filter((problem) => problem.level === level).length
  const [errors, warnings, advice] = [count('error'), count('warning'), count('advice')]
  if (problems.length === 0) return 'Nothing is wrong.'
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${advice} ${advice === 1 ? 'piece' : 'pieces'} of advice.`
}
