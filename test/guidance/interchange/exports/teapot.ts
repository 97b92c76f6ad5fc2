import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Updateable } from 'kysely'
import type { RulesTable } from '../../../../src/guidance/database/schema/rules.ts'
import {
  findComponent,
  type ExportedComponent,
} from '../../../../src/guidance/interchange/exports/component/component.ts'
import { makeComponent, satisfy, type MadeComponent } from '../../../support/authoring.ts'
import { store } from '../../../support/catalogue.ts'
import { setRows } from '../../../support/guidance-records.ts'
import type { GuidanceUnderTest, Person } from '../../../support/guidance.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'
import { isPresent, XCCDF } from '../../catalogue/xccdf/corpus.ts'

/** Texts that formats have to take care of. */
export const HARD = 'Is 1 < 2 && "x" > \'y\'? ]]> <b>bold</b> &amp; é 🫖\n\tindented\n\nlast'

export const REQUIREMENTS: readonly SampleRule[] = [1, 2, 3, 4, 5, 6].map((number) => ({
  id: `SV-20000${number}r1_rule`,
  group: `V-20000${number}`,
  requirement: `SRG-TEA-00000${number}`,
  version: `SRG-TEA-00000${number}-POT-00000${number}`,
  title: `The teapot must be number ${number}.`,
  severity: ['high', 'medium', 'low'][number % 3] ?? null,
  discussion: `Discussion of the SRG ${number}`,
  checks: [`Check of the SRG ${number}`],
  fix: `Fix of the SRG ${number}`,
  cci: number === 1 ? ['CCI-000366', 'CCI-000015'] : ['CCI-000366'],
  legacy: number === 1 ? ['V-1001', 'SV-1002'] : [],
}))

type Changes = Updateable<RulesTable>

/** One rule of each status; the sixth is satisfied by the first. */
const STIG_RULES: readonly Changes[] = [
  {
    status: 'Applicable - Configurable',
    title: 'The lid must be shut & kept <shut>.',
    vuln_discussion: `${HARD} </VulnDiscussion><Mitigations>none</Mitigations>`,
    fixtext: HARD,
    false_positives: 'A false positive.',
    documentable: 1,
    mitigations: 'A mitigation.',
    potential_impacts: 'Tea may be spilt.',
    third_party_tools: 'A spoon',
    responsibility: 'The host',
    ia_controls: 'ECSC-1',
    severity_override_guidance: 'Hot tea is worse.',
    vendor_comments: '=HYPERLINK("http://example.org")',
    inspec_control_body: "describe file('/lid') do\n  it { should exist }\nend",
  },
  { status: 'Applicable - Inherently Meets', artifact_description: 'A photograph.' },
  { status: 'Applicable - Does Not Meet', mitigations: 'Drink it cold.', status_justification: 'No lid.' },
  { status: 'Not Applicable', status_justification: 'There is no tea.' },
  { status: 'Not Yet Determined' },
  { status: 'Applicable - Does Not Meet', status_justification: 'By the first.', mitigations: 'See the first.' },
]

const SRG_RULES: readonly Changes[] = [
  { status: 'Applicable', minted_id: 'SRG-TEA-000001-TEAP-000001', vuln_discussion: HARD },
  { status: 'Not Applicable', status_justification: 'There is no tea.' },
  { status: 'Applicable' },
]

/** A component with a rule of each status and texts that formats have to take care of. */
export async function makeTeapot(
  guidance: GuidanceUnderTest,
  owner: Person,
  { kind = 'stig', ...where }: { readonly projectId: number; readonly kind?: 'stig' | 'srg'; readonly name?: string },
): Promise<MadeComponent> {
  const made = await makeComponent(guidance, owner, { kind, rules: REQUIREMENTS, version: 1, release: 2, ...where })
  for (const [index, changes] of (kind === 'stig' ? STIG_RULES : SRG_RULES).entries())
    await setRows(guidance, 'rules', changes, { id: made.rules[index] ?? 0 })
  if (kind === 'stig') await satisfy(guidance, made.rules[5] ?? 0, made.rules[0] ?? 0)
  return made
}

export function read(guidance: GuidanceUnderTest, id: number): Promise<ExportedComponent> {
  return findComponent(guidance.service.guidance.database.read, id)
}

const GPOS = join(XCCDF, 'disa-os-srg-v3r2.xml')

export const hasGpos = isPresent

/** A component of all requirements of the General Purpose Operating System SRG, all configurable. */
export async function makeGpos(guidance: GuidanceUnderTest, owner: Person, projectId: number): Promise<MadeComponent> {
  const srgId = await store(guidance, readFileSync(GPOS, 'utf8'))
  const sample = { projectId, srgId, prefix: 'GPOS-00', version: 3, release: 2 }
  const made = await makeComponent(guidance, owner, { ...sample, name: 'Red Pot 9' })
  await setRows(guidance, 'rules', { status: 'Applicable - Configurable' }, { component_id: made.id })
  return made
}
