import { readFile } from 'node:fs/promises'
import { UsageRefusal } from '../../commands/command.ts'
import type { CoverageSource } from '../../contracts/coverage.ts'
import type { FindCitingSources, ListContent, ListCoverage } from '../../contracts/list-coverage.ts'
import type { AttackDomain } from '../../contracts/sources.ts'
import { coverageIn } from '../../coverage/coverage.ts'
import { listsOfFile } from '../../coverage/own-list/content.ts'
import { findCitingSources } from '../../guidance/coverage/citing-sources.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { withGuidance, withGuidanceIfAny, type OpenGuidance } from '../look-up/guidance.ts'
import { withOntology, type OntologyChoice } from '../ontology.ts'
import { toJson } from '../output.ts'
import { styleOf } from '../terminal.ts'
import { withFileName } from '../with-file-name.ts'
import { showList } from './show-list.ts'

/** The limit of the API. */
const MAX_BYTES = 4 * 1024 * 1024

interface ListRequest {
  /** Names of files. */
  readonly list: string
  readonly against: readonly string[]
  /** Guidance that counts; null: the newest releases of all benchmarks in the data folder. */
  readonly named: readonly CoverageSource[] | null
  readonly domains: readonly AttackDomain[]
  /** Relations of links that count; a list counts all. */
  readonly relations: readonly string[]
  readonly ontology: OntologyChoice
}

/** The coverage of the user's own list, as JSON or as tables. */
export async function listCoverageText(request: ListRequest, format: string): Promise<string> {
  if (format !== 'json' && format !== 'table') throw new UsageRefusal(`--format ${format}: a list has table or json.`)
  if (request.relations.length > 0) throw new UsageRefusal('--relation: a list counts all relations.')
  const report = await measure(request)
  return format === 'json' ? toJson(report) : showList(report, styleOf(process.stdout))
}

async function measure({
  list: file,
  against,
  named: namedSources,
  domains,
  ontology,
}: ListRequest): Promise<ListCoverage> {
  const [second, ...further] = against
  if (further.length > 0) throw new UsageRefusal('--against: a list is compared with one other.')
  const lists = await readLists(file)
  const other = second === undefined ? lists.against : asSecondList((await readLists(second)).list)
  return withOntology(ontology, async (openOntology) =>
    withBenchmarks(namedSources, async (newest) =>
      withFileName(file, () =>
        coverageIn(openOntology, openOntology.stored).reportOnList({
          release: null,
          domains,
          list: lists.list,
          against: other,
          named: namedSources,
          findCitingSources: newest,
        }),
      ),
    ),
  )
}

/** With named files, the data folder is optional: it only adds the benchmarks that would cover more. */
function withBenchmarks<T>(
  namedSources: ListRequest['named'],
  work: (newest: FindCitingSources) => Promise<T>,
): Promise<T> {
  const measured = (guidance: OpenGuidance | null): Promise<T> =>
    work(async (ccis) => (guidance === null ? [] : findCitingSources(guidance.database.read, ccis)))
  if (namedSources !== null) return withGuidanceIfAny(measured)
  return withGuidance({ files: [], folder: '', documentType: undefined, version: undefined }, measured)
}

async function readLists(file: string): Promise<ReturnType<typeof listsOfFile>> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Refusal('source_not_found', `${file}: ${messageOf(error)}.`)
  })
  if (bytes.length > MAX_BYTES) throw new Refusal('too_large', `${file}: a list has at most ${MAX_BYTES} bytes.`)
  return withFileName(file, () => listsOfFile(bytes))
}

function asSecondList(list: ListContent): ListContent {
  return { ...list, place: `against.${list.place}` }
}
