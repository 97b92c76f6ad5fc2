import type { Discussion } from './benchmark.ts'
import { textOf, type XmlNode } from './node.ts'

/**
 * What DISA's tools write. First drafts have `SecurityOverrideGuidance`, and some readers expect
 * `PotentialImpact`.
 */
const FIELDS = {
  VulnDiscussion: 'vuln_discussion',
  FalsePositives: 'false_positives',
  FalseNegatives: 'false_negatives',
  Documentable: 'documentable',
  Mitigations: 'mitigations',
  SeverityOverrideGuidance: 'severity_override_guidance',
  SecurityOverrideGuidance: 'severity_override_guidance',
  PotentialImpacts: 'potential_impacts',
  PotentialImpact: 'potential_impacts',
  ThirdPartyTools: 'third_party_tools',
  MitigationControl: 'mitigation_control',
  Responsibility: 'responsibility',
  IAControls: 'ia_controls',
} as const

type Field = (typeof FIELDS)[keyof typeof FIELDS]

const TAGS: ReadonlyMap<string, Field> = new Map(Object.entries(FIELDS))
const START = new RegExp(`<(${[...TAGS.keys()].join('|')})\\s*(/?)>`)

export interface SplitDescription {
  readonly discussion: Discussion
  /** Whether it is in DISA's form: at least one tag is there. */
  readonly tagged: boolean
  /** Whether there are words before, between or after the tags, which are left out. */
  readonly hasOtherText: boolean
  /** `Documentable` is neither true, false nor blank. */
  readonly hasOddDocumentable: boolean
}

/**
 * Splits the text of a `Rule/description` at the tags that DISA writes into it, escaped. It is no
 * XML, though it looks like it: discussions hold `<`, `&` and tags of other languages, which stay
 * as they are. Without the tag of the discussion, what is outside of tags is the discussion.
 */
export function splitDescription(text: string | null): SplitDescription {
  const { values, rest } = splitTags(text ?? '')
  const value = (field: Field): string | null => values.get(field) ?? null
  const documentable = (value('documentable') ?? '').trim().toLowerCase()
  const hasDiscussion = values.has('vuln_discussion')
  const outside = rest.trim() === '' ? null : rest
  return {
    discussion: {
      vuln_discussion: hasDiscussion ? value('vuln_discussion') : outside,
      false_positives: value('false_positives'),
      false_negatives: value('false_negatives'),
      documentable: DOCUMENTABLE.get(documentable) ?? null,
      mitigations: value('mitigations'),
      severity_override_guidance: value('severity_override_guidance'),
      potential_impacts: value('potential_impacts'),
      third_party_tools: value('third_party_tools'),
      mitigation_control: value('mitigation_control'),
      responsibility: value('responsibility'),
      ia_controls: value('ia_controls'),
    },
    tagged: values.size > 0,
    hasOtherText: hasDiscussion && outside !== null,
    hasOddDocumentable: documentable !== '' && !DOCUMENTABLE.has(documentable),
  }
}

const DOCUMENTABLE: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

interface SplitTags {
  /** An empty tag has null. */
  readonly values: ReadonlyMap<Field, string | null>
  readonly rest: string
}

/**
 * A tag lasts until its end tag, whatever is between; one that nobody closes, until the next tag.
 * Of a tag that occurs again the texts are joined.
 */
function splitTags(text: string): SplitTags {
  const values = new Map<Field, string | null>()
  const endOf = endTags(text)
  const start = new RegExp(START, 'g')
  let rest = ''
  let at = 0
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const [tag, name = '', slash = ''] = match
    const from = match.index + tag.length
    const [to, end] = slash === '' ? endOf(name, from) : [from, from]
    const field = TAGS.get(name)
    if (field !== undefined) values.set(field, append(values.get(field), text.slice(from, to)))
    rest += text.slice(at, match.index)
    at = end
    start.lastIndex = end
  }
  return { values, rest: rest + text.slice(at) }
}

/**
 * Tells where the content of a tag ends, and where its end tag does. It looks once for an end tag
 * that is not there, so that a text of nothing but start tags takes no longer than another.
 */
function endTags(text: string): (name: string, from: number) => readonly [number, number] {
  const missing = new Set<string>()
  return (name, from) => {
    const endTag = `</${name}>`
    const closing = missing.has(name) ? -1 : text.indexOf(endTag, from)
    if (closing !== -1) return [closing, closing + endTag.length]
    missing.add(name)
    const next = text.slice(from).search(START)
    const end = next === -1 ? text.length : from + next
    return [end, end]
  }
}

function append(before: string | null | undefined, value: string): string | null {
  const texts = [before ?? '', value].filter((text) => text !== '')
  return texts.length === 0 ? null : texts.join('\n')
}

/** The text of a description; tags that are elements of their own look like escaped ones. */
export function descriptionText(description: XmlNode | undefined, field: string): string | null {
  if (description === undefined) return null
  const content = description.content.map((part) => {
    if (typeof part === 'string' || !TAGS.has(part.local)) return part
    return `<${part.local}>${textOf(part, field) ?? ''}</${part.local}>`
  })
  return textOf({ ...description, content }, field)
}
