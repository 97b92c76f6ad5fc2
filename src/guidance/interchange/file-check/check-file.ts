import { Refusal } from '../../../platform/errors.ts'
import { sizeOf } from '../../../platform/files/file-kinds.ts'
import { newRuleOf } from '../../authoring/component-creation/published-stig/new-rule.ts'
import { headText } from '../../catalogue/files/encoding.ts'
import { readHead } from '../../catalogue/files/read-head.ts'
import { openZip } from '../../catalogue/files/zip.ts'
import { type ReadItem, readUploadHere, type RefusedItem } from '../../catalogue/uploads/upload.ts'
import type { ReadOptions, ReadWarning } from '../../catalogue/xccdf/benchmark.ts'
import { linesOfRules } from '../../catalogue/xccdf/rule-lines.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { ArchivedComponent } from '../archives/format/archive.ts'
import { readArchiveHere } from '../archives/format/read-archive.ts'
import type { RuleRecord, SatisfactionRecord } from '../archives/format/schemas.ts'
import { rowOf } from '../archives/format/shape.ts'
import type { SheetEncoding } from '../spreadsheets/reading/encoding.ts'
import { type AdvisedRule, adviseOnRules } from './advice.ts'
import { citedControls, shapeWrittenRule } from './new-rule-texts.ts'
import { problemAt } from './problem-at.ts'
import { type CheckedDocument, type FileCheck, problem, type Problem } from './problem.ts'
import { checkSheet } from './sheets.ts'

interface ReadComponent {
  readonly component: ArchivedComponent['component']
  readonly rules: RuleRecord[]
  readonly satisfactions: SatisfactionRecord[]
}

interface CheckOptions extends ReadOptions {
  /** The name of the file in messages. */
  readonly name: string
  /** The encoding of a CSV file. Without one, the bytes show it. */
  readonly encoding?: SheetEncoding | null
}

/**
 * Checks a file of rules, recognised by its bytes: XCCDF, a zip of benchmarks, a spreadsheet, or an archive. An
 * unreadable file is a result with one error. Refuses only a path that is not a file (`source_not_found`).
 */
export async function checkFile(file: string, options: CheckOptions): Promise<FileCheck> {
  await sizeOf(file)
  let type: FileCheck['type'] = 'xccdf'
  try {
    type = await typeOf(file)
    if (type === 'archive') return await checkArchive(file)
    if (type === 'spreadsheet') return await checkSheet(file, options)
    return await checkBenchmarks(file, options)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { type, documents: [], problems: [problemAt('error', error.code, error.message)] }
  }
}

/** Zips are recognised by these members. */
const MEMBERS = ['manifest.json', '[Content_Types].xml']

/** Recognises the type of a file by its first bytes, and of a zip by its members. */
export async function typeOf(file: string): Promise<FileCheck['type']> {
  const { head } = await readHead(file)
  const start = headText(head).trimStart()
  if (start.startsWith('PK')) {
    const zip = await openZip(file, (name) => MEMBERS.includes(name))
    zip.close()
    const names = zip.members.map(({ name }) => name)
    if (names.includes('[Content_Types].xml')) return 'spreadsheet'
    return names.includes('manifest.json') ? 'archive' : 'xccdf'
  }
  return start === '' || start.startsWith('<') || start.startsWith('{') ? 'xccdf' : 'spreadsheet'
}

/** Checks an archive of components: its files, and the words of the rules. */
async function checkArchive(file: string): Promise<FileCheck> {
  const components: ReadComponent[] = []
  const problems: Problem[] = []
  for await (const part of readArchiveHere(file)) {
    const last = components.at(-1)
    if (part.kind === 'replaced') problems.push(replaced(part.name))
    else if (part.kind === 'component') components.push({ component: part.component, rules: [], satisfactions: [] })
    else if (part.kind === 'rules') last?.rules.push(...part.items)
    else if (part.kind === 'satisfactions') last?.satisfactions.push(...part.items)
  }
  for (const component of components) problems.push(...(await adviseOnRules(advisedRules(component))))
  return { type: 'archive', documents: components.map(documentOf), problems }
}

function replaced(member: string): Problem {
  const message = 'Characters that cannot be stored would be replaced.'
  return problem({ level: 'warning', code: 'characters_replaced', message, member })
}

function documentOf({ component, rules }: ReadComponent): CheckedDocument {
  const { name, title, version, release } = component
  const number = version === null ? null : `V${version}R${release ?? 0}`
  return { kind: 'component', member: null, name, version: number, title, rules: rules.length }
}

function advisedRules({ component, rules, satisfactions }: ReadComponent): readonly AdvisedRule[] {
  const satisfied = new Set(satisfactions.map(({ rule_id }) => Number(rule_id)))
  const kind = component.document_type
  return rules.map((rule) => {
    const number = Number(rule.rule_id)
    const newRule = { row: { ...rowOf(rule, ''), number }, checks: rule.checks, descriptions: [] }
    return {
      name: displayedName(component.prefix, number),
      written: shapeWrittenRule(newRule, kind, satisfied.has(number)),
      cited: citedControls(newRule),
      location: {},
    }
  })
}

/** Checks the benchmarks of an XCCDF file, a data stream or a zip. */
async function checkBenchmarks(file: string, options: ReadOptions): Promise<FileCheck> {
  const documents: CheckedDocument[] = []
  const problems: Problem[] = []
  for await (const item of readUploadHere(file, options)) {
    if (item.kind !== 'read') {
      problems.push(skippedOrRefused(item))
      continue
    }
    const { kind, benchmarkId, version, title, rules } = item.benchmark
    documents.push({ kind, member: item.member, name: benchmarkId, version, title, rules: rules.length })
    problems.push(...(await problemsOf(item)))
  }
  return { type: 'xccdf', documents, problems }
}

function skippedOrRefused({ kind, member, code, detail }: RefusedItem): Problem {
  return { ...problemAt(kind === 'refused' ? 'error' : 'warning', code, detail), member }
}

async function problemsOf({ member, benchmark, warnings, source }: ReadItem): Promise<readonly Problem[]> {
  const lines = linesOfRules(source)
  const rules = benchmark.rules.map((rule, index): AdvisedRule => {
    const newRule = newRuleOf(rule, { number: index + 1, requirement: null, now: '' })
    const status = benchmark.kind === 'srg' ? 'Applicable' : newRule.row.status
    const ruleWithStatus = { ...newRule, row: { ...newRule.row, status } }
    return {
      name: rule.version ?? rule.ruleId,
      written: shapeWrittenRule(ruleWithStatus, benchmark.kind),
      cited: citedControls(ruleWithStatus),
      location: { member, line: lines.get(rule.ruleId) ?? null },
    }
  })
  return [...warnings.map((warning) => warningOf(warning, member, lines)), ...(await adviseOnRules(rules))]
}

function warningOf(
  { code, where: location, message }: ReadWarning,
  member: string | null,
  lines: ReadonlyMap<string, number>,
): Problem {
  const line = lines.get(location) ?? null
  return problem({
    level: 'warning',
    code,
    message,
    member,
    line,
    rule: line === null ? null : location,
  })
}
