import { displayedName } from '../../database/rule-names.ts'
import type { ArchivedComponent } from '../archives/format/archive.ts'
import { readArchiveHere } from '../archives/format/read-archive.ts'
import type { RuleRecord, SatisfactionRecord } from '../archives/format/schemas.ts'
import { rowOf } from '../archives/format/shape.ts'
import { adviseOnRules, type AdvisedRule } from './advice.ts'
import { citedControls, shapeWrittenRule } from './new-rule-texts.ts'
import { problem, type CheckedDocument, type FileCheck, type Problem } from './problem.ts'

interface ReadComponent {
  readonly component: ArchivedComponent['component']
  readonly rules: RuleRecord[]
  readonly satisfactions: SatisfactionRecord[]
}

/** Checks an archive of components: its files, and the words of the rules. */
export async function checkArchive(file: string): Promise<FileCheck> {
  const components: ReadComponent[] = []
  const problems: Problem[] = []
  for await (const part of readArchiveHere(file)) {
    const last = components.at(-1)
    if (part.kind === 'replaced') problems.push(replaced(part.name))
    else if (part.kind === 'component') components.push({ component: part.component, rules: [], satisfactions: [] })
    else if (part.kind === 'rules') last?.rules.push(...part.items)
    else if (part.kind === 'satisfactions') last?.satisfactions.push(...part.items)
  }
  for (const one of components) problems.push(...(await adviseOnRules(advisedRules(one))))
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
      place: {},
    }
  })
}
