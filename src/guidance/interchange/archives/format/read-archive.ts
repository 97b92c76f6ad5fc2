import type { z } from 'zod'
import { isStorable, replaceForbidden } from '../../../../platform/characters.ts'
import { messageOf, Refusal } from '../../../../platform/errors.ts'
import { megabytes } from '../../../catalogue/files/limits.ts'
import { shortenWords } from '../../../catalogue/files/xml.ts'
import { openZip, type ZipMember, type ZipSource } from '../../../catalogue/files/zip.ts'
import type { ArchivePart } from './archive.ts'
import { checkReferences } from './check-references.ts'
import { MAX_ALL_JSON_BYTES, MAX_DEPTH, MAX_JSON_BYTES, PART_CHARACTERS } from './limits.ts'
import { milestonesSchema, type MilestoneRecord } from './milestone-schema.ts'
import {
  attachmentsSchema,
  componentSchema,
  manifestSchema,
  projectSchema,
  reviewsSchema,
  rulesSchema,
  satisfactionsSchema,
  type AttachmentRecord,
} from './schemas.ts'

/** The refusal `archive_unusable`. Its `detail` names the file and the place in it. */
function refuseArchive(detail: string): Refusal {
  return new Refusal('archive_unusable', detail)
}

/**
 * Reads a JSON archive in parts, and checks everything that needs no database. Must run on a separate thread, because
 * parsing a JSON file blocks.
 */
export async function* readArchiveHere(source: ZipSource): AsyncGenerator<ArchivePart, void> {
  const zip = await openZip(source, (name) => name.endsWith('.json'))
  try {
    const members = new Members(zip.members)
    const manifest = await members.read('manifest.json', manifestSchema)
    if (manifest === null) throw refuseArchive('The zip is not an archive: it has no manifest.json.')
    const project = await members.read('project.json', projectSchema)
    yield { kind: 'head', project, srgs: manifest.srgs }
    const folders = members.folders()
    if (folders.length < manifest.components.length)
      throw refuseArchive(
        `manifest.json names ${manifest.components.length} components, but there are ${folders.length}.`,
      )
    for (const folder of folders) yield* readComponent(members, folder)
    for (const name of members.replaced) yield { kind: 'replaced', name }
  } finally {
    zip.close()
  }
}

async function* readComponent(members: Members, folder: string): AsyncGenerator<ArchivePart, void> {
  const component = await members.read(`${folder}component.json`, componentSchema)
  const rules = await members.read(`${folder}rules.json`, rulesSchema)
  if (component === null || rules === null) throw refuseArchive(`${folder}rules.json is missing.`)
  const satisfactions = (await members.read(`${folder}satisfactions.json`, satisfactionsSchema)) ?? []
  const reviews = (await members.read(`${folder}reviews.json`, reviewsSchema)) ?? []
  const attachments = await readAttachments(members, folder)
  const milestones = await readMilestones(members, folder)
  checkReferences({ component, rules, satisfactions, reviews, attachments, milestones }, folder)
  yield { kind: 'component', component }
  for (const items of portions(rules)) yield { kind: 'rules', items }
  for (const items of portions(satisfactions)) yield { kind: 'satisfactions', items }
  for (const items of portions(reviews)) yield { kind: 'reviews', items }
  for (const items of portions(attachments)) yield { kind: 'attachments', items }
  for (const items of portions(milestones)) yield { kind: 'milestones', items }
}

async function readAttachments(members: Members, folder: string): Promise<readonly AttachmentRecord[]> {
  const attachments = (await members.read(`${folder}attachments.json`, attachmentsSchema)) ?? []
  return attachments.map((attachment) => ({ ...attachment, file: `${folder}${attachment.file}` }))
}

async function readMilestones(members: Members, folder: string): Promise<readonly MilestoneRecord[]> {
  const milestones = (await members.read(`${folder}milestones.json`, milestonesSchema)) ?? []
  return milestones.map((milestone) => ({
    ...milestone,
    file: milestone.file === null ? null : `${folder}${milestone.file}`,
  }))
}

/** The JSON files in a zip. */
class Members {
  /** Names of files in which characters were replaced. */
  readonly replaced: string[] = []
  readonly #byName: ReadonlyMap<string, ZipMember>
  #remainingBytes = MAX_ALL_JSON_BYTES

  constructor(members: readonly ZipMember[]) {
    this.#byName = new Map(members.map((member) => [member.name, member]))
  }

  /** The folders of components. A single component may be beside the manifest. */
  folders(): readonly string[] {
    const names = [...this.#byName.keys()]
    return names.flatMap((name) => /^((?:components\/[^/]+\/)?)component\.json$/.exec(name)?.[1] ?? [])
  }

  /** Null if the file does not exist. */
  async read<T extends z.ZodType>(name: string, schema: T): Promise<z.output<T> | null> {
    const member = this.#byName.get(name)
    if (member === undefined) return null
    const parsedJson = parse(await this.#textOf(member), name)
    if (isTooDeep(parsedJson)) throw refuseArchive(`${shortenWords(name)} is nested deeper than ${MAX_DEPTH} levels.`)
    const value = replaceUnstorable(parsedJson)
    // Replaces such characters, because older versions accepted them, and there may be no other copy.
    if (value !== parsedJson) this.replaced.push(name)
    const parsed = schema.safeParse(value, { reportInput: false })
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const path = issue?.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    const location = path === undefined || path.length === 0 ? '' : ` at ${shortenWords(path.join(''))}`
    throw refuseArchive(`${shortenWords(name)}${location}: ${issue?.message ?? 'is not valid'}.`)
  }

  async #textOf(member: ZipMember): Promise<string> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of member.read()) {
      size += chunk.length
      this.#remainingBytes -= chunk.length
      if (size > MAX_JSON_BYTES) throw tooLarge(member.name, MAX_JSON_BYTES)
      if (this.#remainingBytes < 0) throw tooLarge('all JSON files together', MAX_ALL_JSON_BYTES)
      chunks.push(chunk)
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    } catch {
      throw refuseArchive(`${shortenWords(member.name)} is not in UTF-8.`)
    }
  }
}

/** Whether a value is nested too deeply for recursive functions. */
function isTooDeep(value: unknown): boolean {
  let level: readonly object[] = [value].filter(isObject)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((parent) => Object.values(parent).filter(isObject))
  }
  return false
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The value itself, or a copy without characters that cannot be stored. */
function replaceUnstorable(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : replaceForbidden(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const storableEntries = entries.map(([name, member]) => [name, replaceUnstorable(member)] as const)
  if (storableEntries.every(([, member], index) => member === entries[index]?.[1])) return value
  return Array.isArray(value) ? storableEntries.map(([, member]) => member) : Object.fromEntries(storableEntries)
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /at position \d+/.exec(messageOf(error))?.[0] ?? ''
    throw refuseArchive(`${shortenWords(name)} is not JSON ${position}`.trimEnd() + '.')
  }
}

function tooLarge(subject: string, limit: number): Refusal {
  const detail = `The uncompressed size of ${shortenWords(subject)} exceeds the limit of ${megabytes(limit)}.`
  return new Refusal('too_large', detail)
}

function* portions<T>(items: readonly T[]): Generator<readonly T[], void> {
  let portion: T[] = []
  let characters = 0
  for (const item of items) {
    portion.push(item)
    characters += JSON.stringify(item).length
    if (characters < PART_CHARACTERS) continue
    yield portion
    portion = []
    characters = 0
  }
  if (portion.length > 0) yield portion
}
