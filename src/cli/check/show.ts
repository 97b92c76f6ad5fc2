import { formatTable } from '../../commands/table.ts'
import type { FileCheck, Problem } from '../../guidance/interchange/file-check/problem.ts'
import { escapeControls, type Style } from '../terminal.ts'

/** Shows what is wrong in a file: its documents, and a paragraph for each problem. */
export function showCheck(file: string, { documents, problems }: FileCheck, style: Style): string {
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

type ProblemLocation = Pick<Problem, 'member' | 'line' | 'row' | 'cell' | 'rule' | 'field'>

function describePlace({ member, line, row, cell, rule, field }: ProblemLocation): string {
  const parts = [member, line === null ? null : `line ${line}`, row === null ? null : `row ${row}`, cell, rule, field]
  return escapeControls(parts.filter((part) => part !== null).join(', '))
}

/** `1 error, 2 warnings, 30 pieces of advice.` */
export function summarise(problems: readonly Problem[]): string {
  const count = (level: Problem['level']): number => problems.filter((problem) => problem.level === level).length
  const [errors, warnings, advice] = [count('error'), count('warning'), count('advice')]
  if (problems.length === 0) return 'Nothing is wrong.'
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${advice} ${advice === 1 ? 'piece' : 'pieces'} of advice.`
}
