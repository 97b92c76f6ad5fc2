import { recordOf } from '../../../platform/records.ts'
import { DISCUSSION_FLAGS, DISCUSSION_TEXTS, TAGGED_FIELDS } from '../../../tables/field-lists.ts'
import type { Discussion } from './benchmark.ts'
import { textOf, type XmlNode } from './node.ts'

type DiscussionField = keyof Discussion

/** DISA's tools write these tags; some files use other spellings of them. */
const TAGS: ReadonlyMap<string, DiscussionField> = new Map(
  TAGGED_FIELDS.flatMap(({ name, xccdf }) => xccdf.names.map((tag) => [tag, name] as const)),
)
/** Part of a pattern that matches any of the tags. */
const ANY_TAG = [...TAGS.keys()].join('|')
const START_TAG = new RegExp(`<(${ANY_TAG})\\s*(/?)>`)

const REST_OF_TAG = `(?=/?(?:${ANY_TAG})\\s*/?>)`
const UNESCAPED_TAG = new RegExp(`<${REST_OF_TAG}|&(?=(?:amp;)*lt;${REST_OF_TAG})`, 'g')
const ESCAPED_TAG = new RegExp(`&((?:amp;)*)lt;${REST_OF_TAG}`, 'g')

/** Escapes text that would be read as one of the tags, and text that looks like such an escape. */
export function escapeTags(text: string): string {
  return text.replaceAll(UNESCAPED_TAG, (sign) => (sign === '<' ? '&lt;' : '&amp;'))
}

/** Reverses {@link escapeTags}. */
function unescapeTags(text: string): string {
  return text.replaceAll(ESCAPED_TAG, (_all, further: string) =>
    further === '' ? '<' : `&${further.slice('amp;'.length)}lt;`,
  )
}

export interface SplitDescription {
  readonly discussion: Discussion
  /** Whether it has at least one of DISA's tags. */
  readonly tagged: boolean
  /** Whether there are words outside the tags, which are left out. */
  readonly hasOtherText: boolean
  /** Whether `Documentable` is neither true, false nor blank. */
  readonly hasOddDocumentable: boolean
}

/**
 * Splits the text of a `Rule/description` at the escaped tags that DISA writes into it. The text is not XML:
 * discussions contain `<`, `&` and tags of other languages, which stay unchanged. Without a tag for the discussion, the
 * text outside the tags is the discussion.
 */
export function splitDescription(text: string | null): SplitDescription {
  const { values, outsideTags } = splitTags(text ?? '')
  const value = (field: DiscussionField): string | null => values.get(field) ?? null
  const hasDiscussion = values.has('vuln_discussion')
  const outside = outsideTags.trim() === '' ? null : outsideTags
  return {
    discussion: {
      ...recordOf(DISCUSSION_TEXTS, value),
      ...recordOf(DISCUSSION_FLAGS, (field) => BOOLEANS.get(wordOf(value(field))) ?? null),
      vuln_discussion: hasDiscussion ? value('vuln_discussion') : outside,
    },
    tagged: values.size > 0,
    hasOtherText: hasDiscussion && outside !== null,
    hasOddDocumentable: !['', ...BOOLEANS.keys()].includes(wordOf(value('documentable'))),
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function wordOf(text: string | null): string {
  return (text ?? '').trim().toLowerCase()
}

interface SplitTags {
  /** Null for an empty tag. */
  readonly values: ReadonlyMap<DiscussionField, string | null>
  readonly outsideTags: string
}

/**
 * Splits a text at its tags. A tag ends at its end tag; without one, at the next tag. The texts of repeated tags are
 * joined.
 */
function splitTags(text: string): SplitTags {
  const values = new Map<DiscussionField, string | null>()
  const endOf = endTags(text)
  const start = new RegExp(START_TAG, 'g')
  let outsideTags = ''
  let position = 0
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const [tag, name = '', slash = ''] = match
    const from = match.index + tag.length
    const [to, end] = slash === '' ? endOf(name, from) : [from, from]
    const field = TAGS.get(name)
    const content = unescapeTags(text.slice(from, to))
    if (field !== undefined) values.set(field, append(values.get(field), content))
    outsideTags += text.slice(position, match.index)
    position = end
    start.lastIndex = end
  }
  return { values, outsideTags: outsideTags + text.slice(position) }
}

/**
 * Returns where the content of a tag ends and where its end tag ends. Remembers missing end tags, so that a text of
 * nothing but start tags does not take quadratic time.
 */
function endTags(text: string): (name: string, from: number) => readonly [number, number] {
  const missing = new Set<string>()
  return (name, from) => {
    const endTag = `</${name}>`
    const closing = missing.has(name) ? -1 : text.indexOf(endTag, from)
    if (closing !== -1) return [closing, closing + endTag.length]
    missing.add(name)
    const nextTag = text.slice(from).search(START_TAG)
    const end = nextTag === -1 ? text.length : from + nextTag
    return [end, end]
  }
}

function append(before: string | null | undefined, value: string): string | null {
  const texts = [before ?? '', value].filter((text) => text !== '')
  return texts.length === 0 ? null : texts.join('\n')
}

/** Returns the text of a description. Tags that are real elements are escaped first. */
export function descriptionText(description: XmlNode | undefined, field: string): string | null {
  if (description === undefined) return null
  const content = description.content.map((part) => {
    if (typeof part === 'string' || !TAGS.has(part.local)) return part
    return `<${part.local}>${textOf(part, field) ?? ''}</${part.local}>`
  })
  return textOf({ ...description, content }, field)
}
