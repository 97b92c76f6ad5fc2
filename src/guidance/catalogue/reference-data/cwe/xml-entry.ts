import { attributeOf, childrenOf, type XmlNode } from '../../xccdf/node.ts'
import { NO_PARTS, type CweDraft, type CweItem } from './items.ts'

const TYPES: ReadonlyMap<string, CweItem['type']> = new Map([
  ['Weakness', 'weakness'],
  ['Category', 'category'],
  ['View', 'view'],
])

/** Reads an element Weakness, Category or View (cwe_schema 7). */
export function entryOf(node: XmlNode): CweDraft {
  const type = TYPES.get(node.local) ?? 'weakness'
  const common = {
    ...NO_PARTS,
    type,
    id: `CWE-${attributeOf(node, 'ID')?.trim() ?? ''}`,
    name: attributeOf(node, 'Name')?.trim() ?? '',
    status: attributeOf(node, 'Status'),
    taxonomy_mappings: taxonomiesOf(node),
    notes: notesOf(node),
    mapping: mappingOf(node),
  }
  if (type === 'weakness') return { ...common, ...weaknessOf(node) }
  const members = [...itemsOf(node, 'Relationships', 'Has_Member'), ...itemsOf(node, 'Members', 'Has_Member')]
  return {
    ...common,
    description: textAt(node, type === 'category' ? 'Summary' : 'Objective') ?? '',
    members: members.map((member) => ({ id: cweOf(member), view: attributeOf(member, 'View_ID') })),
  }
}

function weaknessOf(node: XmlNode) {
  const described = (list: string, item: string): string[] => itemsOf(node, list, item).map(textOf)
  return {
    abstraction: attributeOf(node, 'Abstraction'),
    description: textAt(node, 'Description') ?? '',
    extended_description: textAt(node, 'Extended_Description') ?? '',
    related: itemsOf(node, 'Related_Weaknesses', 'Related_Weakness').map((related) => ({
      nature: attributeOf(related, 'Nature') ?? '',
      id: cweOf(related),
      view: attributeOf(related, 'View_ID'),
      ordinal: attributeOf(related, 'Ordinal'),
    })),
    platforms: platformsOf(node),
    ordinalities: itemsOf(node, 'Weakness_Ordinalities', 'Weakness_Ordinality').map(
      (ordinality) => textAt(ordinality, 'Ordinality') ?? '',
    ),
    background: described('Background_Details', 'Background_Detail'),
    alternate_terms: itemsOf(node, 'Alternate_Terms', 'Alternate_Term').map((term) => ({
      term: textAt(term, 'Term') ?? '',
      description: textAt(term, 'Description'),
    })),
    introduction: itemsOf(node, 'Modes_Of_Introduction', 'Introduction').map((introduction) => ({
      phase: textAt(introduction, 'Phase') ?? '',
      note: textAt(introduction, 'Note'),
    })),
    exploitation_factors: described('Exploitation_Factors', 'Exploitation_Factor'),
    likelihood: textAt(node, 'Likelihood_Of_Exploit'),
    consequences: itemsOf(node, 'Common_Consequences', 'Consequence').map((consequence) => ({
      scopes: textsAt(consequence, 'Scope'),
      impacts: textsAt(consequence, 'Impact'),
      likelihood: textAt(consequence, 'Likelihood'),
      note: textAt(consequence, 'Note'),
    })),
    ...treatmentOf(node),
    demonstrative_examples: described('Demonstrative_Examples', 'Demonstrative_Example'),
    observed_examples: itemsOf(node, 'Observed_Examples', 'Observed_Example').map((example) => ({
      reference: textAt(example, 'Reference') ?? '',
      description: textAt(example, 'Description'),
      link: textAt(example, 'Link'),
    })),
    functional_areas: described('Functional_Areas', 'Functional_Area'),
    affected_resources: described('Affected_Resources', 'Affected_Resource'),
    attack_patterns: itemsOf(node, 'Related_Attack_Patterns', 'Related_Attack_Pattern').map(
      (pattern) => `CAPEC-${attributeOf(pattern, 'CAPEC_ID') ?? ''}`,
    ),
  }
}

function treatmentOf(node: XmlNode) {
  return {
    detection_methods: itemsOf(node, 'Detection_Methods', 'Detection_Method').map((method) => ({
      method: textAt(method, 'Method') ?? '',
      description: textAt(method, 'Description'),
      effectiveness: textAt(method, 'Effectiveness'),
    })),
    mitigations: itemsOf(node, 'Potential_Mitigations', 'Mitigation').map((mitigation) => ({
      phases: textsAt(mitigation, 'Phase'),
      strategy: textAt(mitigation, 'Strategy'),
      description: textAt(mitigation, 'Description'),
      effectiveness: textAt(mitigation, 'Effectiveness'),
    })),
  }
}

function platformsOf(node: XmlNode): CweItem['platforms'] {
  return childrenOf(node, 'Applicable_Platforms')
    .flatMap(({ content }) => content.filter((part) => typeof part !== 'string'))
    .map((item) => ({
      kind: item.local.replaceAll('_', ' '),
      name: attributeOf(item, 'Name'),
      class: attributeOf(item, 'Class'),
      prevalence: attributeOf(item, 'Prevalence'),
    }))
}

function taxonomiesOf(node: XmlNode): CweItem['taxonomy_mappings'] {
  return itemsOf(node, 'Taxonomy_Mappings', 'Taxonomy_Mapping').map((mapping) => ({
    taxonomy: attributeOf(mapping, 'Taxonomy_Name') ?? '',
    entry_id: textAt(mapping, 'Entry_ID'),
    entry_name: textAt(mapping, 'Entry_Name'),
    fit: textAt(mapping, 'Mapping_Fit'),
  }))
}

function notesOf(node: XmlNode): CweItem['notes'] {
  return itemsOf(node, 'Notes', 'Note').map((note) => ({ type: attributeOf(note, 'Type'), text: textOf(note) }))
}

function mappingOf(node: XmlNode): CweItem['mapping'] {
  const [notes] = childrenOf(node, 'Mapping_Notes')
  if (notes === undefined) return null
  return {
    usage: textAt(notes, 'Usage'),
    rationale: textAt(notes, 'Rationale'),
    comments: textAt(notes, 'Comments'),
    suggestions: itemsOf(notes, 'Suggestions', 'Suggestion').map((suggestion) => ({
      id: cweOf(suggestion),
      comment: attributeOf(suggestion, 'Comment'),
    })),
  }
}

function itemsOf(node: XmlNode, list: string, item: string): readonly XmlNode[] {
  return childrenOf(node, list).flatMap((listNode) => childrenOf(listNode, item))
}

function cweOf(node: XmlNode): string {
  return `CWE-${attributeOf(node, 'CWE_ID') ?? ''}`
}

function textAt(node: XmlNode, local: string): string | null {
  return textsAt(node, local)[0] ?? null
}

function textsAt(node: XmlNode, local: string): string[] {
  return childrenOf(node, local)
    .map(textOf)
    .filter((text) => text !== '')
}

/** Elements of XHTML that end a line. */
const BLOCKS = new Set(['p', 'li', 'ul', 'ol', 'div', 'br', 'tr', 'table', 'Intro_Text', 'Body_Text', 'Example_Code'])

/** Returns the text with one line for each paragraph and list item; runs of blanks become one. */
function textOf(node: XmlNode): string {
  return rawText(node)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

function rawText({ content }: XmlNode): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return part.replace(/\s+/g, ' ')
      return BLOCKS.has(part.local) ? `\n${rawText(part)}\n` : rawText(part)
    })
    .join('')
}
