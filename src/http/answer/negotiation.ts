import { Refusal } from '../../platform/errors.ts'

/** The content codings that answers are cached in; identity is decompressed from them. */
export const CODINGS = ['br', 'gzip', 'identity'] as const

export type Coding = (typeof CODINGS)[number]

/** One member of an Accept or Accept-Encoding header. */
interface AcceptedItem {
  /** In small letters: `text/csv`, `text/*`, `gzip`, `*`. */
  readonly name: string
  /** From 0, which refuses, to 1. */
  readonly weight: number
  readonly profiles: readonly string[]
}

const ANY_TYPE: readonly AcceptedItem[] = [{ name: '*/*', weight: 1, profiles: [] }]
const WEIGHT = /^(?:0(?:\.\d*)?|1(?:\.0*)?|\.\d+)$/

/** Limit of the cached headers: clients send few different ones. Others are parsed each time. */
const MAX_REMEMBERED = 500
const codingByHeader = new Map<string, Coding | null>()

/**
 * The coding for an Accept-Encoding header (RFC 9110 §12.5.3): the one with the highest weight, brotli before gzip if
 * equal. Without the header, identity. Null if all are refused.
 */
export function acceptedCoding(header: string | undefined): Coding | null {
  if (header === undefined) return 'identity'
  const cached = codingByHeader.get(header)
  if (cached !== undefined) return cached
  const coding = chooseCoding(header)
  if (codingByHeader.size < MAX_REMEMBERED) codingByHeader.set(header, coding)
  return coding
}

function chooseCoding(header: string): Coding | null {
  const ranges = parseRanges(header)
  const weigh = (coding: string): number | undefined =>
    (ranges.find(({ name }) => name === coding) ?? ranges.find(({ name }) => name === '*'))?.weight
  // Identity need not be listed, but codings that are listed are preferred.
  const identity = weigh('identity') ?? Number.MIN_VALUE
  const listed = { br: weigh('br') ?? 0, gzip: weigh('gzip') ?? 0, identity }
  const best = heaviest(CODINGS, (coding) => listed[coding])
  if (best !== null) return best
  // A header that only refuses codings accepts the others.
  if (ranges.some(({ weight }) => weight > 0)) return null
  return CODINGS.find((coding) => weigh(coding) === undefined) ?? null
}

/**
 * The offered media type that an Accept header prefers (RFC 9110 §12.5.1): by weight, then types that it names before
 * types that only a wildcard includes, then by their order in the header. Parameters do not count. Undefined if it accepts
 * none.
 */
export function acceptedMediaType<T extends string>(header: string | undefined, offered: readonly T[]): T | undefined {
  const ranges = rangesOf(header)
  const rank = (type: T): number => {
    const index = rangeFor(ranges, type)
    const range = ranges[index]
    if (range === undefined || range.weight === 0) return 0
    // Weights have three decimals, so the other criteria count less than that.
    return range.weight + specificity(range) / 10_000 - index / 1e9
  }
  return heaviest(offered, rank) ?? undefined
}

/**
 * Chooses the form for an Accept header: by weight, then the first offered. If the header names none of them, the first
 * that it does not refuse is chosen. Null if it refuses all.
 */
export function acceptedForm<T extends string>(header: string | undefined, offered: readonly T[]): T | null {
  const ranges = rangesOf(header)
  const weigh = (type: T): number | undefined => ranges[rangeFor(ranges, type)]?.weight
  const best = heaviest(offered, (type) => weigh(type) ?? 0)
  return best ?? offered.find((type) => weigh(type) === undefined) ?? null
}

/**
 * The profiles (RFC 6906) of a media type in an Accept header: those of the member with the highest weight.
 */
function acceptedProfiles(header: string | undefined, type: string): readonly string[] {
  const ranges = parseRanges(header ?? '').filter(({ name }) => name === type)
  const best = heaviest(ranges, ({ weight }) => weight)
  return best?.profiles ?? []
}

/**
 * Chooses one of the offered media types for an Accept header, with the profiles that it names. Refuses a header that
 * accepts none of them.
 */
export function requireAccepted<F>(
  header: string | undefined,
  offered: readonly string[],
  formOf: (type: string, profiles: readonly string[]) => F,
): F {
  const type = acceptedMediaType(header, offered)
  if (type !== undefined) return formOf(type, acceptedProfiles(header, type))
  throw new Refusal('not_acceptable', `Available: ${offered.join(', ')}. Accept allows none of them.`)
}

/** Whether an If-None-Match header names the entity tag (RFC 9110 §13.1.2, weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** The first item with the highest weight; null if all weights are 0. */
function heaviest<T>(among: readonly T[], weigh: (candidate: T) => number): T | null {
  let best: T | null = null
  for (const candidate of among) {
    if (weigh(candidate) > (best === null ? 0 : weigh(best))) best = candidate
  }
  return best
}

function rangesOf(accept: string | undefined): readonly AcceptedItem[] {
  if (accept === undefined || accept.trim() === '') return ANY_TYPE
  return parseRanges(accept)
}

/** Malformed members are ignored. */
function parseRanges(header: string): readonly AcceptedItem[] {
  return split(header, ',').flatMap((member) => {
    const [name = '', ...parameters] = split(member, ';')
    const isWeight = (parameter: string): boolean => /^q\s*=/i.test(parameter)
    const weight = parameters.find(isWeight)?.replace(/^q\s*=\s*/i, '') ?? '1'
    if (name === '' || !WEIGHT.test(weight)) return []
    const isNarrowed = parameters.some((parameter) => parameter !== '' && !isWeight(parameter))
    // Refusing a type with a parameter does not refuse the type.
    if (isNarrowed && Number(weight) === 0) return []
    const profile = parameters.find((parameter) => /^profile\s*=/i.test(parameter)) ?? ''
    const profiles = profile.replace(/^\w+\s*=\s*/, '').replace(/^"(.*)"$/, '$1')
    return [{ name: name.toLowerCase(), weight: Number(weight), profiles: profiles.split(/\s+/) }]
  })
}

/** Splits a header into trimmed parts, not inside quotes. In one pass, because headers may be long. */
function split(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') quoted = !quoted
    else if (character === '\\' && quoted) index += 1
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, index).trim())
      start = index + 1
    }
  }
  return [...parts, text.slice(start).trim()]
}

/** The index of the most specific range for a media type; -1 if there is none. */
function rangeFor(ranges: readonly AcceptedItem[], type: string): number {
  const names = [type, type.replace(/\/.*/, '/*'), '*/*', '*']
  for (const name of names) {
    const heavy = Math.max(...ranges.filter((range) => range.name === name).map(({ weight }) => weight))
    const index = ranges.findIndex((range) => range.name === name && range.weight === heavy)
    if (index >= 0) return index
  }
  return -1
}

function specificity({ name }: AcceptedItem): number {
  if (name.startsWith('*')) return 0
  return name.endsWith('/*') ? 1 : 2
}
