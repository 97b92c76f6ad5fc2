import type { Benchmark, ReadWarning, Rule } from '../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { readBenchmarks } from '../../../../src/guidance/catalogue/xccdf/reader.ts'

const NAMESPACES = ['xmlns:dc="http://purl.org/dc/elements/1.1/"', 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'].join(
  ' ',
)

/** A STIG of one group and one rule; each part can be replaced, and left out with ''. */
const PARTS = {
  prolog: '<?xml version="1.0" encoding="utf-8"?>\n',
  xccdf: '1.1',
  attributes: 'id="Tea_Pot_STIG" xml:lang="en"',
  status: '<status date="2026-01-02">accepted</status>',
  title: '<title>Tea Pot Security Technical Implementation Guide</title>',
  reference: '<reference><dc:publisher>DISA</dc:publisher><dc:source>TEA</dc:source></reference>',
  release: '<plain-text id="release-info">Release: 3 Benchmark Date: 05 Jan 2026</plain-text>',
  version: '<version>2</version>',
  extra: '',
  body: '',
}

export type Parts = Partial<typeof PARTS>

export function documentOf(parts: Parts = {}): string {
  const { prolog, xccdf, attributes, body, ...header } = { ...PARTS, body: groupOf(), ...parts }
  const root = `xmlns="http://checklists.nist.gov/xccdf/${xccdf}" ${NAMESPACES} ${attributes}`
  return `${prolog}<Benchmark ${root}>${Object.values(header).join('\n')}${body}</Benchmark>`
}

export function groupOf(rule = ruleOf(), id = 'V-1'): string {
  return `<Group id="${id}"><title>SRG-APP-000001</title>${rule}</Group>`
}

export function ruleOf(content = ruleContent(), attributes = 'id="SV-1_rule" severity="high"'): string {
  return `<Rule ${attributes}>${content}</Rule>`
}

const RULE_PARTS = {
  version: '<version>TEAP-00-000001</version>',
  title: '<title>The pot must be warm.</title>',
  description: '<description>&lt;VulnDiscussion&gt;Cold pots.&lt;/VulnDiscussion&gt;</description>',
  ident: '<ident system="http://cyber.mil/cci">CCI-000366</ident>',
  fixtext: '<fixtext fixref="F-1_fix">Warm the pot.</fixtext><fix id="F-1_fix"/>',
  check:
    '<check system="C-1_chk"><check-content-ref href="a.xml" name="M"/>' +
    '<check-content>Touch the pot.</check-content></check>',
  extra: '',
}

export function ruleContent(parts: Partial<typeof RULE_PARTS> = {}): string {
  return Object.values({ ...RULE_PARTS, ...parts }).join('')
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function read(
  document: string,
  options: Parameters<typeof readBenchmarks>[1] = {},
): { readonly benchmark: Benchmark; readonly warnings: readonly ReadWarning[] } {
  const [first, ...others] = readBenchmarks(() => [bytesOf(document)], options)
  if (first === undefined || others.length > 0) throw new Error('Not one benchmark')
  return first
}

/** The one rule of a document whose rule has this content. */
export function readRule(
  content: string,
  attributes?: string,
): { readonly rule: Rule; readonly codes: readonly string[] } {
  const { benchmark, warnings } = read(documentOf({ body: groupOf(ruleOf(content, attributes)) }))
  const [rule] = benchmark.rules
  if (rule === undefined) throw new Error('No rule')
  return { rule, codes: warnings.map(({ code }) => code) }
}
