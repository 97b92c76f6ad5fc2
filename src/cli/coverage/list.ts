import { readFile } from 'node:fs/promises'
import { Misuse } from '../../commands/command.ts'
import type { CoverageSource } from '../../contracts/coverage.ts'
import type { FindCitingSources, ListContent, ListCoverage } from '../../contracts/list-coverage.ts'
import type { AttackDomain } from '../../contracts/sources.ts'
import { coverageIn } from '../../coverage/coverage.ts'
import { listsOfFile } from '../../coverage/own-list/content.ts'
import { findCitingSources } from '../../guidance/coverage/citing-sources.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { aboutFile } from '../about-file.ts'
import { withGuidance, withGuidanceIfAny, type OpenGuidance } from '../look-up/guidance.ts'
import { withOntology, type OntologyChoice } from '../ontology.ts'
import { toJson } from '../output.ts'
import { styleOf } from '../terminal.ts'
import { showList } from './show-list.ts'

/** A larger file is refused over HTTP as well. */
const MOST_BYTES = 4 * 1024 * 1024

interface ListRequest {
  /** Names of files. */
  readonly list: string
  readonly against: readonly string[]
  /** Guidance that counts; null: the newest releases of all benchmarks in the data folder. */
  readonly named: readonly CoverageSource[] | null
  readonly domains: readonly AttackDomain[]
  readonly ontology: OntologyChoice
}

/** The coverage of somebody's own list, as JSON or as tables. */
export async function listCoverageText(request: ListRequest, format: string): Promise<string> {
  if (format !== 'json' && format !== 'table') throw new Misuse(`--format ${format}: a list has table or json.`)
  const report = await measure(request)
  return format === 'json' ? toJson(report) : showList(report, styleOf(process.stdout))
}

async function measure({ list: file, against, named, domains, ontology }: ListRequest): Promise<ListCoverage> {
  const [second, ...more] = against
  if (more.length > 0) throw new Misuse('--against: a list is compared with one other.')
  const lists = await readLists(file)
  const other = second === undefined ? lists.against : inSecondPlace((await readLists(second)).list)
  return withOntology(ontology, async (found) =>
    withBenchmarks(named, async (newest) =>
      aboutFile(file, () =>
        coverageIn(found, found.stored).list({
          release: null,
          domains,
          list: lists.list,
          against: other,
          named,
          findCitingSources: newest,
        }),
      ),
    ),
  )
}

/** Files that are named need no data folder: it only adds what other benchmarks would add. */
function withBenchmarks<T>(named: ListRequest['named'], work: (newest: FindCitingSources) => Promise<T>): Promise<T> {
  const measured = (guidance: OpenGuidance | null): Promise<T> =>
    work(async (ccis) => (guidance === null ? [] : findCitingSources(guidance.database.read, ccis)))
  if (named !== null) return withGuidanceIfAny(measured)
  return withGuidance({ files: [], folder: '', documentType: undefined, version: undefined }, measured)
}

async function readLists(file: string): Promise<ReturnType<typeof listsOfFile>> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Refusal('source_not_found', `${file}: ${messageOf(error)}.`)
  })
  if (bytes.length > MOST_BYTES) throw new Refusal('too_large', `${file}: a list has at most ${MOST_BYTES} bytes.`)
  return aboutFile(file, () => listsOfFile(bytes))
}

function inSecondPlace(list: ListContent): ListContent {
  return { ...list, place: `against.${list.place}` }
}
