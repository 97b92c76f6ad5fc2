import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { refuseValues, type FieldError } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { ComponentGrant } from '../../authoring/access/component-access.ts'
import { mintedId, tokenOf } from '../../authoring/components/mint.ts'
import { obstaclesOf, type Obstacle } from '../../authoring/components/obstacles.ts'
import { UploadReader } from '../../catalogue/uploads/upload-thread.ts'
import type { Database } from '../../database/database.ts'
import { displayedName } from '../../database/rule-names.ts'
import { nameSome } from '../../parts/name-some.ts'
import { findComponent, type ExportedComponent, type ExportedRule } from '../exports/component/component.ts'
import { xccdfPieces } from '../exports/xccdf/xccdf.ts'
import { NOT_RELEASED, publish, type PublishedRelease } from './publish.ts'

/**
 * Releases a component that is an SRG: its requirements get their final ids, and its content becomes an SRG in the
 * catalogue, as if its XCCDF document had been imported. The document is made and read before the transaction. A change
 * meanwhile is an `edit_conflict`.
 */
export async function releaseSrg(database: Database, grant: ComponentGrant): Promise<PublishedRelease> {
  const component = requireReleasable(await findComponent(database.read, grant.componentId))
  const folder = await mkdtemp(join(tmpdir(), 'parapet-release-'))
  const reader = new UploadReader()
  try {
    const file = join(folder, 'benchmark.xml')
    const options = { version: '1.1', mode: 'published_srg', date: new Date() } as const
    await pipeline(Readable.from(xccdfPieces(component, options)), createWriteStream(file))
    for await (const item of reader.read(file, { documentType: 'srg' })) {
      if (item.kind !== 'read') throw new Refusal(item.code, item.detail)
      // Otherwise, a document with many new requirements would be recognised as a STIG.
      const srg = { ...item, head: { ...item.head, kind: 'srg' } } as const
      return await database.transact((writer) => publish(writer, { grant, component, item: srg }))
    }
    throw new Error('The generated document holds no benchmark')
  } catch (error) {
    throw toValidationError(error)
  } finally {
    await reader.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The component with its final ids. 422 with all reasons against the release. */
function requireReleasable(exported: ExportedComponent): ExportedComponent {
  const { component, rules } = exported
  const token = tokenOf(component.prefix)
  const errors = faultsOf(exported)
  if (errors.length > 0 || token === null) throw refuseValues(NOT_RELEASED, errors)
  const mintedRules = rules.map((rule) => (isPublished(rule) ? { ...rule, minted_id: mintedId(rule, token) } : rule))
  return { ...exported, component, rules: mintedRules }
}

function faultsOf({ component, rules }: ExportedComponent): readonly FieldError[] {
  const { document_type, released } = component
  if (document_type !== 'srg') return [{ field: null, message: 'Only an SRG can be released in this way' }]
  if (released === 1) return [{ field: 'released', message: 'It has already been released' }]
  const obstacles = obstaclesOf(component, rules)
  return OBSTACLE_MESSAGES.flatMap(([code, field, message]) => {
    const ofCode = obstacles.filter((obstacle) => obstacle.code === code)
    if (ofCode.length === 0) return []
    const named = rules.filter(({ id }) => ofCode.some(({ ruleId }) => ruleId === id))
    const names = named.length === 0 ? '' : `: ${namesOf(named)}`
    return [{ field, message: `${message}${names}` }]
  })
}

const OBSTACLE_MESSAGES: readonly (readonly [Obstacle['code'], string, string])[] = [
  ['rule_undetermined', 'status', 'Not Yet Determined'],
  ['version_missing', 'version', "Version can't be blank"],
  ['release_missing', 'release', "Release can't be blank"],
  ['rule_unlocked', 'locked', 'Not locked'],
  ['nothing_applicable', 'status', 'No requirement is Applicable'],
  ['prefix_without_token', 'prefix', 'The prefix does not begin with a letter'],
]

function namesOf(rules: readonly ExportedRule[]): string {
  const names = rules.map(({ prefix, number }) => displayedName(prefix, number))
  return `${rules.length} of the requirements (${nameSome(names)})`
}

function isPublished({ status }: Pick<ExportedRule, 'status'>): boolean {
  return status === 'Applicable'
}

/** Turns refusals of the document into validation errors that authors can correct. */
function toValidationError(error: unknown): unknown {
  const codes: readonly string[] = ['field_too_long', 'invalid_id', 'missing_field', 'too_large', 'version_unknown']
  if (!(error instanceof Refusal) || !codes.includes(error.code)) return error
  return refuseValues(NOT_RELEASED, [{ field: null, message: error.message }])
}
