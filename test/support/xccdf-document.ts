/** A rule of a made-up benchmark. Null leaves a part out. */
export interface SampleRule {
  /** `Rule/@id`. */
  readonly id: string
  /** `Rule/version`: the STIG id, or in an SRG the id of the requirement. */
  readonly version?: string | null
  /** `Group/@id`. */
  readonly group?: string
  /** `Group/title`: in a STIG the requirement. */
  readonly requirement?: string | null
  readonly title?: string
  readonly severity?: string | null
  readonly weight?: string | null
  readonly discussion?: string
  readonly documentable?: string
  /** Texts of further elements after the description, by their names. */
  readonly elements?: Readonly<Record<string, string>>
  readonly checks?: readonly string[]
  readonly fix?: string | null
  readonly cci?: readonly string[]
  readonly legacy?: readonly string[]
}

export interface SampleBenchmark {
  readonly id?: string
  readonly title?: string
  /** `Benchmark/version`; null leaves it out. */
  readonly version?: string | null
  readonly release?: string
  readonly date?: string
  readonly description?: string
  readonly kind?: 'srg' | 'stig'
  /** Without it, the document has no publisher, and its descriptions have no tags. */
  readonly official?: boolean
  readonly rules?: readonly SampleRule[] | number
}

const CCI = 'http://cyber.mil/cci'
const LEGACY = 'http://cyber.mil/legacy'

const USUAL = {
  id: 'Teapot_STIG',
  title: 'Teapot Security Technical Implementation Guide',
  version: '1',
  release: '1',
  date: '05 Jan 2026',
  description: 'How to keep tea safe.',
  kind: 'stig',
  official: true,
  rules: 2,
} as const satisfies SampleBenchmark

/** A made-up document in XCCDF 1.1, in the form of DISA. */
export function xccdfDocument(sample: SampleBenchmark = {}): string {
  const whole: Required<SampleBenchmark> = { ...USUAL, ...sample }
  const { id, title, version, release, date, description, kind, official, rules } = whole
  const listed = typeof rules === 'number' ? sampleRules(rules, kind) : rules
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Benchmark xmlns="http://checklists.nist.gov/xccdf/1.1" id="${escaped(id)}" xml:lang="en"`,
    '  xmlns:dc="http://purl.org/dc/elements/1.1/">',
    `<status date="2026-01-05">accepted</status>`,
    `<title>${escaped(title)}</title>`,
    `<description>${escaped(description)}</description>`,
    official ? '<reference href="https://example.org"><dc:publisher>DISA</dc:publisher>' : '',
    official ? '<dc:source>STIG.DOD.MIL</dc:source></reference>' : '',
    `<plain-text id="release-info">Release: ${release} Benchmark Date: ${date}</plain-text>`,
    version === null ? '' : `<version>${version}</version>`,
    ...listed.map((rule) => ruleElement(rule, official)),
    '</Benchmark>',
    '',
  ].join('\n')
}

/** Converts a document to XCCDF 1.2, with ids in DISA's form. */
export function inXccdf12(document: string): string {
  return document
    .replace('checklists.nist.gov/xccdf/1.1', 'checklists.nist.gov/xccdf/1.2')
    .replaceAll(
      /<(Benchmark|Group|Rule)\b([^>]*?) id="/g,
      (_tag, name: string, others: string) => `<${name}${others} id="xccdf_mil.disa.stig_${name.toLowerCase()}_`,
    )
}

/** Different rules, with ids that are counted from 1. */
export function sampleRules(count: number, kind: 'srg' | 'stig' = 'stig'): readonly SampleRule[] {
  return Array.from({ length: count }, (_none, index) => {
    const number = String(index + 1).padStart(6, '0')
    return {
      id: `SV-1${number}r1_rule`,
      group: `V-1${number}`,
      version: kind === 'srg' ? `SRG-TEA-${number}` : `TEAP-00-${number}`,
      requirement: kind === 'srg' ? 'SRG-TEA' : `SRG-TEA-${number}`,
      severity: ['high', 'medium', 'low'][index % 3] ?? null,
    }
  })
}

function ruleElement(rule: SampleRule, official: boolean): string {
  const { id, severity = 'medium', weight = '10.0' } = rule
  const group = rule.group ?? `V-${/\d+/.exec(id)?.[0] ?? id}`
  const attributes = [
    `id="${escaped(id)}"`,
    ...(weight === null ? [] : [`weight="${escaped(weight)}"`]),
    ...(severity === null ? [] : [`severity="${escaped(severity)}"`]),
  ].join(' ')
  const requirement = rule.requirement === undefined ? 'SRG-TEA-000001' : rule.requirement
  return [
    `<Group id="${escaped(group)}">`,
    requirement === null ? '' : `<title>${escaped(requirement)}</title>`,
    `<Rule ${attributes}>`,
    ...partsOf(rule, official),
    '</Rule></Group>',
  ].join('\n')
}

function partsOf(rule: SampleRule, official: boolean): readonly string[] {
  const { id, title = `The lid of ${id} must be shut.`, cci = ['CCI-000366'], legacy = [] } = rule
  const version = rule.version === undefined ? `TEAP-${id}` : rule.version
  const fix = rule.fix === undefined ? `Shut the lid of ${id}.` : rule.fix
  const checks = rule.checks ?? [`Look whether the lid of ${id} is shut.`]
  return [
    version === null ? '' : `<version>${escaped(version)}</version>`,
    `<title>${escaped(title)}</title>`,
    `<description>${escaped(descriptionOf(rule, official))}</description>`,
    ...Object.entries(rule.elements ?? {}).map(([name, text]) => `<${name}>${escaped(text)}</${name}>`),
    ...legacy.map((value) => `<ident system="${LEGACY}">${escaped(value)}</ident>`),
    ...cci.map((value) => `<ident system="${CCI}">${escaped(value)}</ident>`),
    ...(fix === null ? [] : [`<fixtext fixref="F-${id}_fix">${escaped(fix)}</fixtext><fix id="F-${id}_fix"/>`]),
    ...checks.map((content, index) =>
      [
        `<check system="C-${id}_chk${index === 0 ? '' : index}">`,
        '<check-content-ref href="Teapot.xml" name="M"/>',
        `<check-content>${escaped(content)}</check-content></check>`,
      ].join(''),
    ),
  ]
}

function descriptionOf({ id, discussion, documentable = 'false' }: SampleRule, official: boolean): string {
  const text = discussion ?? `Tea that is left open at ${id} gets cold.`
  if (!official) return text
  return (
    `<VulnDiscussion>${text}</VulnDiscussion><FalsePositives></FalsePositives>` +
    `<FalseNegatives></FalseNegatives><Documentable>${documentable}</Documentable>` +
    '<Mitigations></Mitigations><SeverityOverrideGuidance></SeverityOverrideGuidance>' +
    '<PotentialImpacts></PotentialImpacts><ThirdPartyTools></ThirdPartyTools>' +
    '<MitigationControl></MitigationControl><Responsibility></Responsibility>' +
    '<IAControls></IAControls>'
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
