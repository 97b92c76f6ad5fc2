import type { Discussion } from './benchmark.ts'
import { textOf, type XmlNode } from './node.ts'

/**
 * What DISA's tools write. First drafts have `SecurityOverrideGuidance`, and some readers expect
 * `PotentialImpact`.
 */
const FIELDS = {
  VulnDiscussion: 'vulnDiscussion',
  FalsePositives: 'falsePositives',
  FalseNegatives: 'falseNegatives',
  Documentable: 'documentable',
  Mitigations: 'mitigations',
  SeverityOverrideGuidance: 'severityOverrideGuidance',
  SecurityOverrideGuidance: 'severityOverrideGuidance',
  PotentialImpacts: 'potentialImpacts',
  PotentialImpact: 'potentialImpacts',
  ThirdPartyTools: 'thirdPartyTools',
  MitigationControl: 'mitigationControl',
  Responsibility: 'responsibility',
  IAControls: 'iaControls',
} as const

type Field = (typeof FIELDS)[keyof typeof FIELDS]

const TAGS: ReadonlyMap<string, Field> = new Map(Object.entries(FIELDS))
const NAMES = [...TAGS.keys()].join('|')

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
 * as they are. Without any tag, all of it is the discussion.
 */
export function splitDescription(text: string | null): SplitDescription {
  const { values, rest } = splitTags(text ?? '')
  const value = (field: Field): string | null => values.get(field) ?? null
  const documentable = (value('documentable') ?? '').trim().toLowerCase()
  const tagged = values.size > 0
  return {
    discussion: {
      vulnDiscussion: tagged ? value('vulnDiscussion') : text,
      falsePositives: value('falsePositives'),
      falseNegatives: value('falseNegatives'),
      documentable: DOCUMENTABLE.get(documentable) ?? null,
      mitigations: value('mitigations'),
      severityOverrideGuidance: value('severityOverrideGuidance'),
      potentialImpacts: value('potentialImpacts'),
      thirdPartyTools: value('thirdPartyTools'),
      mitigationControl: value('mitigationControl'),
      responsibility: value('responsibility'),
      iaControls: value('iaControls'),
    },
    tagged,
    hasOtherText: tagged && rest.trim() !== '',
    hasOddDocumentable: documentable !== '' && !DOCUMENTABLE.has(documentable),
  }
}

const DOCUMENTABLE: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

interface Split {
  /** An empty tag has null. */
  readonly values: ReadonlyMap<Field, string | null>
  readonly rest: string
}

/**
 * A tag lasts until its end tag, whatever is between; one that nobody closes, until the next tag.
 * Of a tag that occurs again the texts are joined.
 */
function splitTags(text: string): Split {
  const values = new Map<Field, string | null>()
  const start = new RegExp(`<(${NAMES})\\s*(/?)>`, 'g')
  let rest = ''
  let at = 0
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const [tag, name = '', slash = ''] = match
    const from = match.index + tag.length
    const { value, end } = slash === '' ? tagValue(text, name, from) : { value: '', end: from }
    const field = TAGS.get(name)
    if (field !== undefined) values.set(field, append(values.get(field), value))
    rest += text.slice(at, match.index)
    at = end
    start.lastIndex = end
  }
  return { values, rest: rest + text.slice(at) }
}

function tagValue(text: string, name: string, from: number): { value: string; end: number } {
  const endTag = new RegExp(`</${name}\\s*>`, 'g')
  endTag.lastIndex = from
  const closing = endTag.exec(text)
  if (closing !== null) {
    return { value: text.slice(from, closing.index), end: endTag.lastIndex }
  }
  const next = new RegExp(`<(?:${NAMES})\\s*/?>`, 'g')
  next.lastIndex = from
  const end = next.exec(text)?.index ?? text.length
  return { value: text.slice(from, end), end }
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
