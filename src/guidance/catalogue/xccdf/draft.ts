import { Refusal } from '../../../platform/errors.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import { groupDigits, MAX_RULES } from '../files/limits.ts'
import { shortenWords, type XmlElement } from '../files/xml.ts'
import type { Benchmark, ReadBenchmark, ReadOptions, Rule } from './benchmark.ts'
import { idOf } from './id.ts'
import { benchmarkKind } from './kind.ts'
import { attributeOf, lineOf, textOf, type XmlNode } from './node.ts'
import { XCCDF_VERSIONS } from './root.ts'
import { dublinCoreOf, isStatus, readRule, type RuleOutsideGroups, titleOf } from './rule.ts'
import { deriveVersion, isVersion, type PlainText, releaseDate, releaseInformation } from './version.ts'
import { ReadWarnings } from './warnings.ts'

/** A Group that is being read; its title may come after its rules. */
export interface OpenGroup {
  readonly id: string | null
  title: string | null
  rules: number
}

const LANGUAGE = '{http://www.w3.org/XML/1998/namespace}lang'

/** A Benchmark that is being read. Its parts may come in any order. */
export class BenchmarkDraft {
  readonly uri: string
  readonly #id: string
  readonly #language: string | null
  readonly #header: XmlNode[] = []
  readonly #rules: { readonly rule: RuleOutsideGroups; readonly group: OpenGroup | null }[] = []
  readonly #ruleIds = new Set<string>()
  readonly #warnings = new ReadWarnings()
  #tagged = false

  /** Refuses (`missing_field`) an element without id. */
  constructor(element: XmlElement) {
    const id = idOf(element)
    if (id === null) {
      throw new Refusal('missing_field', `Benchmark id is missing (line ${element.line}).`)
    }
    this.uri = element.uri
    this.#id = id
    this.#language = attributeOf(element, LANGUAGE)
  }

  addHeader(node: XmlNode): void {
    this.#header.push(node)
  }

  openGroup(element: XmlElement): OpenGroup {
    const group = { id: idOf(element), title: null, rules: 0 }
    if (group.id === null) this.#warnings.add('group_id_missing', `Group in line ${element.line}`)
    return group
  }

  /** The first title counts. */
  titleGroup(group: OpenGroup, node: XmlNode): void {
    const context = { where: group.id ?? 'Group/title', warnings: this.#warnings }
    group.title ??= titleOf(node, 'Group title', context)
  }

  /** Refuses `duplicate_rule_id` and `too_large`. */
  addRule(node: XmlNode, group: OpenGroup | null): void {
    const ordinal = this.#rules.length + 1
    if (ordinal > MAX_RULES) {
      throw new Refusal('too_large', `More rules than the limit of ${groupDigits(MAX_RULES)}.`)
    }
    const { rule, tagged } = readRule(node, { ordinal, warnings: this.#warnings })
    if (this.#ruleIds.has(rule.ruleId)) {
      const position = `rule ${ordinal}, line ${node.line}`
      const detail = `The Rule id "${rule.ruleId}" is taken by an earlier rule (${position}).`
      throw new Refusal('duplicate_rule_id', detail)
    }
    this.#ruleIds.add(rule.ruleId)
    this.#tagged ||= tagged
    // Copied, because parts of long texts would keep the whole texts in memory.
    this.#rules.push({ rule: structuredClone(rule), group })
    if (group === null) return
    group.rules += 1
    if (group.rules > 1) {
      this.#warnings.add('several_rules_in_group', rule.ruleId)
    }
  }

  /** Returns the complete benchmark at the end of its element. Refuses one with missing parts. */
  finish(options: ReadOptions): ReadBenchmark {
    if (this.#rules.length === 0) {
      throw new Refusal('missing_field', `The Benchmark "${this.#id}" has no Rule.`)
    }
    const title = this.#title()
    const publisher = this.#publishing('publisher')
    const release = releaseInformation(this.#plainTexts())
    const benchmark: Benchmark = {
      xccdf: XCCDF_VERSIONS.get(this.uri) ?? '1.2',
      kind: this.#kind({ title, publisher }, options),
      benchmarkId: this.#id,
      title,
      version: this.#version(release, options),
      releaseDate: this.#releaseDate(release),
      ...this.#status(),
      description: textOf(this.#first('description'), 'Benchmark description'),
      language: this.#language,
      publisher,
      source: this.#publishing('source'),
      rules: this.#groupedRules(),
    }
    return { benchmark, warnings: this.#warnings.list() }
  }

  #all(local: string): readonly XmlNode[] {
    return this.#header.filter((node) => node.local === local)
  }

  #first(local: string): XmlNode | undefined {
    return this.#all(local)[0]
  }

  #title(): string {
    const location = 'Benchmark/title'
    const context = { where: location, warnings: this.#warnings }
    const title = titleOf(this.#first('title'), 'Benchmark title', context)
    if (title === null) this.#warnings.add('title_missing', location)
    return title ?? this.#id
  }

  #status(): Pick<Benchmark, 'status' | 'statusDate'> {
    const element = this.#first('status')
    const status = lineOf(element, 'Benchmark status')
    if (status !== null && !isStatus(status)) {
      this.#warnings.add('status_unknown', 'Benchmark/status')
    }
    return { status, statusDate: element === undefined ? null : attributeOf(element, 'date') }
  }

  /** Returns the publisher from a reference or, in SCAP content, from the metadata. */
  #publishing(local: 'publisher' | 'source'): string | null {
    const values = ['reference', 'metadata'].flatMap((name) => this.#all(name)).map((node) => dublinCoreOf(node, local))
    return values.find((value) => value !== null) ?? null
  }

  #plainTexts(): readonly PlainText[] {
    return this.#all('plain-text').map((node) => ({
      id: attributeOf(node, 'id'),
      text: lineOf(node, 'Benchmark plain-text') ?? '',
    }))
  }

  #releaseDate(release: string): string | null {
    const date = releaseDate(release)
    if (date === null) this.#warnings.add('release_date_missing', 'Benchmark/plain-text')
    return date
  }

  #version(release: string, { version: statedVersion }: ReadOptions): string {
    const written = lineOf(this.#first('version'), 'Benchmark version')
    const derived = deriveVersion(written, release)
    if (derived !== null) {
      if (statedVersion !== undefined && statedVersion !== derived) {
        this.#warnings.add('version_ignored', 'Benchmark/version')
      }
      return derived
    }
    if (statedVersion !== undefined && isVersion(statedVersion)) return statedVersion
    const statement = `version "${shortenWords(written ?? '')}", release information "${shortenWords(release)}"`
    const correction =
      statedVersion === undefined ? 'Give a version' : `"${shortenWords(statedVersion)}" is not a version; give one`
    throw new Refusal(
      'version_unknown',
      `The file does not state its version (${statement}). ${correction} such as V1R2.`,
    )
  }

  #kind(
    names: { readonly title: string; readonly publisher: string | null },
    { documentType: statedType }: ReadOptions,
  ): BenchmarkKind {
    const versions = this.#rules.flatMap(({ rule }) => rule.version ?? [])
    this.#noteRepeatedVersions()
    const { kind, mixed } = benchmarkKind({ ...names, benchmarkId: this.#id, versions, tagged: this.#tagged })
    if (mixed) this.#warnings.add('mixed_kinds', 'Rule/version')
    if (kind !== null && statedType !== undefined && kind !== statedType) {
      this.#warnings.add('document_type_ignored', 'Rule/version')
    }
    if (kind !== null) return kind
    if (statedType !== undefined) return statedType
    const detail =
      `The Benchmark "${this.#id}" shows nothing of DISA: no rule has the id of an SRG ` +
      'requirement, and neither title, publisher nor descriptions are those of a STIG. ' +
      'Set document_type to srg or stig.'
    throw new Refusal('unknown_benchmark_kind', detail)
  }

  #noteRepeatedVersions(): void {
    const seen = new Set<string>()
    for (const { ruleId, version } of this.#rules.map(({ rule }) => rule)) {
      if (version === null) continue
      if (seen.has(version)) this.#warnings.add('duplicate_rule_version', ruleId)
      seen.add(version)
    }
  }

  #groupedRules(): readonly Rule[] {
    return this.#rules.map(({ rule: { ruleId, ...rest }, group }) => ({
      ruleId,
      groupId: group?.id ?? null,
      groupTitle: group?.title ?? null,
      ...rest,
    }))
  }
}
