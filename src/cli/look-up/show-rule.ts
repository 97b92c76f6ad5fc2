import { formatTable } from '../../commands/table.ts'
import type { readRuleDetail } from '../../guidance/catalogue/open/documents.ts'
import { escapeControls, type Style } from '../terminal.ts'

type RuleDetail = Awaited<ReturnType<typeof readRuleDetail>>

/** Shows a rule on a terminal with all its texts, which are never shortened. */
export function showRule({ release, rule, satisfies, ccis, links }: RuleDetail, style: Style): string {
  const { version, rule_id, group_id, requirement, severity, title } = rule
  const newer = release.newest.version === release.version ? '' : ` (the newest is ${release.newest.version})`
  const heading = (name: string): string => style.yellow(name)
  const texts: readonly (readonly [string, string | null])[] = [
    ['Discussion', rule.vuln_discussion],
    ...rule.checks.map(({ content }): [string, string | null] => ['Check', content]),
    ...rule.fixes.map(({ text }): [string, string | null] => ['Fix', text]),
  ]
  const techniques = new Map(links.map(({ technique }) => [technique.iri, technique]))
  return [
    `${style.bold(escapeControls(`${version ?? rule_id}: ${title}`))}\n${release.benchmark_id} ${release.version}${newer}`,
    formatTable(
      ['rule', 'group', 'requirement', 'severity'],
      [[rule_id, group_id ?? '', requirement ?? '', severity].map(escapeControls)],
    ),
    ...texts.flatMap(([name, text]) => (text === null ? [] : [`${heading(name)}\n${escapeControls(text)}`])),
    ...(ccis.length === 0
      ? []
      : [`${heading('CCIs')}\n${ccis.map((cci) => escapeControls(`${cci.id}${definitionOf(cci)}`)).join('\n')}`]),
    ...(satisfies.length === 0 ? [] : [`${heading('Satisfies')}\n${escapeControls(satisfies.join(', '))}`]),
    ...(techniques.size === 0
      ? []
      : [
          `${heading('Techniques that the CCIs lead to')}\n${[...techniques.values()].map(({ label }) => label).join(', ')}`,
        ]),
  ].join('\n\n')
}

function definitionOf({ definition }: RuleDetail['ccis'][number]): string {
  return definition === null ? '' : `: ${definition}`
}
