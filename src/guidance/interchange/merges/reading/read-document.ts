import { readFile } from 'node:fs/promises'
import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { pick } from '../../../../platform/records.ts'
import { DISCUSSION_FLAGS, DISCUSSION_TEXTS, ELEMENT_FIELDS, namesOf } from '../../../../tables/field-lists.ts'
import { identOf } from '../../../catalogue/benchmarks/shape.ts'
import { decodeXml, headText } from '../../../catalogue/files/encoding.ts'
import { MAX_XML_BYTES } from '../../../catalogue/files/limits.ts'
import { piecesOf } from '../../../catalogue/files/pieces.ts'
import { readHead } from '../../../catalogue/files/read-head.ts'
import { findRoot } from '../../../catalogue/files/xml.ts'
import type { Rule } from '../../../catalogue/xccdf/benchmark.ts'
import { readBenchmarks, xmlTooLarge } from '../../../catalogue/xccdf/reader.ts'
import { SNAPSHOT } from '../../exports/component/snapshot.ts'
import type { FieldValue, MergedField } from '../planning/fields.ts'
import { readCkl } from './ckl.ts'
import { readCklb } from './cklb.ts'
import type { FilePart } from './file-parts.ts'
import { readProfile } from './inspec/profile.ts'
import type { FileRule, ReadDocument, ReadTask } from './merge-file.ts'

/** The number of rules in one message from the thread, which takes about a millisecond to receive. */
const BATCH_SIZE = 50

/**
 * Reads the rules of an XCCDF file, of a checklist for STIG Viewer 2 or 3, or of an InSpec profile. Must run on a
 * separate thread, because parsing blocks. Refuses the same files as imports.
 */
export async function* readDocumentHere({ path, kind }: ReadTask): AsyncGenerator<FilePart, void> {
  const document = kind === 'document' ? await readDocument(path) : await readProfile(path, kind)
  const { format, rules, snapshots, warnings } = document
  yield { kind: 'head', format, snapshots, warnings }
  for await (const portion of inPortions(rules, BATCH_SIZE)) yield { kind: 'rules', rules: portion }
}

async function readDocument(file: string): Promise<ReadDocument> {
  const { head, size } = await readHead(file)
  if (size > MAX_XML_BYTES) throw xmlTooLarge()
  const bytes = await readFile(file)
  const text = headText(head)
  if (isJson(text)) return { format: 'cklb', warnings: [], ...readCklb(bytes) }
  const snapshots = snapshotsIn(text)
  const source = (): Iterable<Uint8Array> => piecesOf(bytes)
  if (findRoot(text)?.local === 'CHECKLIST')
    return { format: 'ckl', snapshots, warnings: [], rules: readCkl(decodeXml(source, head)) }
  // Given in case the file lacks them. A merge uses neither.
  const benchmarks = readBenchmarks(source, { documentType: 'stig', version: 'V1R1' })
  return {
    format: 'xccdf',
    snapshots,
    warnings: [],
    rules: benchmarks.flatMap(({ benchmark }) => benchmark.rules.map(benchmarkRule)),
  }
}

function isJson(text: string): boolean {
  return /^\ufeff?(?:\xef\xbb\xbf)?\s*\{/.test(text)
}

/** Finds the digests, which exports write in comments before the root element. */
function snapshotsIn(head: string): readonly string[] {
  const digest = new RegExp(`<!-- ${SNAPSHOT}: ([0-9a-f]{64}) -->`).exec(head)?.[1]
  return digest === undefined ? [] : [digest]
}

/**
 * Reads a rule of an XCCDF file. A missing element leaves its field unchanged. A tag of the description may be blank.
 */
function benchmarkRule(rule: Rule): FileRule {
  const statedValues = pick(rule.discussion, [...DISCUSSION_TEXTS, ...DISCUSSION_FLAGS])
  const absentFields = new Set<string>(namesOf(ELEMENT_FIELDS.filter(({ name }) => rule.discussion[name] === null)))
  const discussion = Object.fromEntries(Object.entries(statedValues).filter(([name]) => !absentFields.has(name)))
  const values: Partial<Record<MergedField, FieldValue>> = {
    ...discussion,
    title: rule.title,
    rule_severity: rule.severity,
    rule_weight: rule.weight,
    ident: identOf(rule),
    fixtext: joined(rule.fixes.map(({ text }) => text)),
    check_content: joined(rule.checks.map(({ content }) => content)),
  }
  const stigId = rule.version ?? ''
  return { place: stigId || rule.ruleId, srgId: rule.groupTitle ?? '', stigId, values }
}

function joined(texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join('\n\n') || null
}
