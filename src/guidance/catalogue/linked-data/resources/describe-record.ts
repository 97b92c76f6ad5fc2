import type { DescribedRecord } from '../../../../contracts/described.ts'
import { id } from '../../../../http/input.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Parts } from '../../../parts/parts.ts'
import { CATALOGUES, catalogueOf } from '../../benchmarks/catalogues.ts'
import type { Release } from '../../benchmarks/releases.ts'
import { findNamedRule, findNumbered, findRelease } from '../../open/find.ts'
import { cciNamed, controlNamed } from '../../reference-data/controls/control-names.ts'
import { cciSchema, controlSchema } from '../../reference-data/items.ts'
import { findFirstDocument, listVersions } from '../../reference-data/reader.ts'
import { shortId } from '../../xccdf/id.ts'
import { decodeSegment, IRI_PATHS } from '../graph/iris.ts'

type Describe = (reader: Reader, names: readonly string[]) => Promise<DescribedRecord | null>

const DESCRIBED: readonly (readonly [RegExp, Describe])[] = [
  [/^\/ccis\/([^/]+)$/, describeCci],
  [/^\/controls\/([^/]+)$/, describeControl],
  [/^\/(stigs|srgs)\/([^/]+)$/, describeNumbered],
  [/^\/benchmarks\/([^/]+)\/([^/]+)$/, async (reader, names) => shapeRelease(await releaseOf(reader, names))],
  [/^\/benchmarks\/([^/]+)\/([^/]+)\/rules\/([^/]+)$/, describeRule],
]

/**
 * Describes the record of the catalogue whose page is at a path such as `/benchmarks/RHEL_9_STIG/V2R7` or
 * `/ccis/CCI-000366`. Null if there is none, or if the database cannot answer now. Also null if the catalogue is not
 * public, because the head of a page is the same for everybody.
 */
export async function describeRecord(
  { database, settings }: Pick<Parts, 'database' | 'settings'>,
  path: string,
): Promise<DescribedRecord | null> {
  if (!settings.cataloguePublic) return null
  for (const [pattern, describe] of DESCRIBED) {
    const [match, ...segments] = pattern.exec(path) ?? []
    if (match !== undefined) return orNull(describe(database.read, segments.map(decodeSegment)))
  }
  return null
}

async function orNull(described: Promise<DescribedRecord | null>): Promise<DescribedRecord | null> {
  try {
    return await described
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function describeCci(reader: Reader, [name = '']: readonly string[]): Promise<DescribedRecord | null> {
  const cci = cciNamed(name)
  const document = cci === null ? null : await findNewest(reader, 'cci_list', cci)
  if (document === null) return null
  const { id: title, definition } = cciSchema.parse(document)
  return { kind: 'cci', title, text: definition, path: IRI_PATHS.cci(title) }
}

async function describeControl(reader: Reader, [name = '']: readonly string[]): Promise<DescribedRecord | null> {
  const control = controlNamed(name)
  const document = control === null ? null : await findNewest(reader, 'sp800_53', control)
  if (document === null) return null
  const { id: number, title, statement } = controlSchema.parse(document)
  const text = statement.map((line) => [line.label, line.text].filter(Boolean).join(' ')).join(' ')
  const path = `/controls/${encodeURIComponent(number.replaceAll(' ', ''))}`
  return { kind: 'control', title: `${number} ${title}`, text, path }
}

/** Finds an item in the newest version that contains it. */
async function findNewest(reader: Reader, kind: 'cci_list' | 'sp800_53', item: string): Promise<unknown> {
  const found = await findFirstDocument(reader, await listVersions(reader, kind), item)
  return found?.document ?? null
}

async function describeNumbered(reader: Reader, [folder, number]: readonly string[]): Promise<DescribedRecord | null> {
  const catalogue = CATALOGUES.find((candidate) => candidate.path === folder)
  const parsed = id.safeParse(number)
  if (catalogue === undefined || !parsed.success) return null
  const { release } = await findNumbered(reader, parsed.data, catalogue.kind)
  return shapeRelease(release)
}

async function describeRule(reader: Reader, names: readonly string[]): Promise<DescribedRecord> {
  const release = await releaseOf(reader, names)
  const [, , name = ''] = names
  const rule = await findNamedRule(reader, release, shortId('rule', name))
  const { ruleId, version, title, discussion } = rule
  return {
    kind: 'rule',
    title: `${version ?? ruleId}: ${title}`,
    text: `${release.title} ${release.version}. ${discussion.vuln_discussion ?? ''}`,
    path: IRI_PATHS.rule(release, ruleId),
  }
}

async function releaseOf(reader: Reader, [benchmark = '', version = '']: readonly string[]): Promise<Release> {
  return (await findRelease(reader, shortId('benchmark', benchmark), version)).release
}

function shapeRelease(release: Release): DescribedRecord {
  const { kind, title, version, releaseDate, ruleCount, severityCounts } = release
  const { high, medium, low } = severityCounts
  const released = releaseDate === null ? '' : ` of ${releaseDate}`
  return {
    kind: 'benchmark',
    title: `${title} ${version}`,
    text: `${catalogueOf(kind).label}${released} with ${ruleCount} rules: ${high} CAT I, ${medium} CAT II, ${low} CAT III.`,
    path: IRI_PATHS.benchmark(release),
  }
}
