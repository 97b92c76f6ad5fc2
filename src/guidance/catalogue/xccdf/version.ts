/** A `plain-text` element of a Benchmark. */
export interface PlainText {
  readonly id: string | null
  readonly text: string
}

/** Bounded, because no release has more digits. */
const VERSION = /^V\d{1,6}R\d{1,6}(?:\.\d{1,6})?$/

export function isVersion(version: string): boolean {
  return VERSION.test(version)
}

/** Finds DISA's release information by its id, else by its words, because generators write other plain texts too. */
export function releaseInformation(plainTexts: readonly PlainText[]): string {
  const byId = plainTexts.find(({ id }) => id === 'release-info')
  return (byId ?? plainTexts.find(({ text }) => text.includes('Release:')))?.text ?? ''
}

/**
 * Derives `V{version}R{release}` from `Benchmark/version` and the release information: `2` and `Release: 7 …` give
 * V2R7, `1` and `Release: 0.1` (a draft) V1R0.1. SCAP content has `002.002` for V2R2; some generators write `V2R9`
 * directly. Null for anything else.
 */
export function deriveVersion(version: string | null, releaseInfo: string): string | null {
  const written = (version ?? '').trim()
  const complete = /^v(\d+)r(\d+)(\.\d+)?$/i.exec(written)
  if (complete !== null) return join(complete[1], complete[2], complete[3])
  const scap = /^(\d{3})\.(\d{3})$/.exec(written)
  if (scap !== null) return join(scap[1], scap[2])
  const release = /\bRelease:?\s*(\d+)(\.\d+)?(?!\d|\.\d)/i.exec(releaseInfo)
  if (!/^\d{1,9}$/.test(written) || release === null) return null
  return join(written, release[1], release[2])
}

function join(version = '', release = '', dotted = ''): string | null {
  const joined = `V${Number(version)}R${Number(release)}${dotted}`
  return isVersion(joined) ? joined : null
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** YYYY-MM-DD from `Benchmark Date: 05 Jan 2026`; null without one, or if there is no such day. */
export function releaseDate(releaseInfo: string): string | null {
  const text = /\bBenchmark Date:\s*(.*)/is.exec(releaseInfo)?.[1] ?? ''
  const iso = /^(\d{4})-(\d{2})-(\d{2})\b/.exec(text)
  if (iso !== null) return calendarDay(iso[1], Number(iso[2]), Number(iso[3]))
  const [, day, month = '', year] = /^(\d{1,2})[\s-]+([a-z]{3})[a-z]*\.?,?[\s-]+(\d{4})\b/i.exec(text) ?? []
  return calendarDay(year, monthNamed(month), Number(day))
}

function monthNamed(name: string): number {
  return MONTHS.findIndex((month) => month.toLowerCase() === name.toLowerCase()) + 1
}

/**
 * Writes `Release: 3 Benchmark Date: 28 Oct 2025` from `3` and `2025-10-28`. Without a date, the words stay, because
 * readers look for them.
 */
export function releaseInformationOf(release: string, date: string | null): string {
  const [year, month, day] = (date ?? '').split('-')
  const written = date === null ? '' : ` ${day} ${MONTHS[Number(month) - 1] ?? ''} ${year}`
  return `Release: ${release} Benchmark Date:${written}`
}

function calendarDay(year = '', month: number, day: number): string | null {
  const date = [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-')
  const parsed = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(date) ? null : date
}
