/** The parts of an OpenAPI document that the page reads. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly example?: string
  readonly schema: Schema
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

export interface Operation extends OpenApiOperation {
  readonly method: string
  readonly path: string
  /** Methods that do the same. */
  readonly aliases: readonly string[]
}

/** A path with its operations. */
export interface PathEntry {
  readonly path: string
  readonly operations: readonly Operation[]
}

/** The paths of a tag. */
export interface Group {
  readonly tag: string
  readonly entries: readonly PathEntry[]
  readonly count: number
}

export interface Section {
  readonly title: string
  readonly groups: readonly Group[]
}

/** Tags by purpose; other tags are in the last section. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['Read the ontology', ['Ontology', 'Linked data', 'Releases', 'SPARQL']],
  ['Read guidance', ['Open catalogue', 'Catalogue', 'Search', 'Coverage']],
  [
    'Write guidance',
    [
      'Projects',
      'Memberships',
      'Access requests',
      'Components',
      'Rules',
      'Attachments',
      'Comments',
      'Advice',
      'Figures',
      'Relocations',
    ],
  ],
  ['Export and import', ['Exports', 'Milestones', 'Spreadsheets', 'Merges', 'Archives']],
  ['Follow changes', ['Events', 'Webhooks']],
  ['Sign in', ['Authentication', 'Accounts', 'Second factor', 'Personal access tokens']],
  ['Administer', ['User administration', 'Audit trail', 'Instance']],
]
const OTHER_SECTION = 'Others'

/** Every path of the ontology is also below a release; it is listed once. */
const OF_RELEASE = '/releases/{version}'
const ALIAS = /_\d+$/

/** Sorts the operations into sections. A path is in one group only, that of its first operation. */
export function shapeApi({ paths }: OpenApiDocument): readonly Section[] {
  const byTag = new Map<string, PathEntry[]>()
  for (const [path, methods] of Object.entries(paths)) {
    if (path.startsWith(OF_RELEASE) && path.slice(OF_RELEASE.length) in paths) continue
    const operations = operationsOf(path, methods)
    const tag = operations[0]?.tags[0] ?? OTHER_SECTION
    byTag.set(tag, [...(byTag.get(tag) ?? []), { path, operations }])
  }
  const knownTags = new Set(SECTIONS.flatMap(([, tags]) => tags))
  const others = [...byTag.keys()].filter((tag) => !knownTags.has(tag))
  return [...SECTIONS, [OTHER_SECTION, others] as const].flatMap(([title, tags]) => {
    const groups = tags.flatMap((tag) => groupOf(tag, byTag.get(tag)))
    return groups.length === 0 ? [] : [{ title, groups }]
  })
}

function operationsOf(path: string, methods: Readonly<Record<string, OpenApiOperation>>): readonly Operation[] {
  const entries = Object.entries(methods)
  const aliases = (name: string): readonly string[] =>
    entries
      .filter(([, { operationId }]) => ALIAS.test(operationId) && operationId.replace(ALIAS, '') === name)
      .map(([method]) => method)
  return entries
    .filter(([, { operationId }]) => !isAlias(operationId, entries))
    .map(([method, operation]) => ({ ...operation, method, path, aliases: aliases(operation.operationId) }))
}

function isAlias(name: string, entries: readonly (readonly [string, OpenApiOperation])[]): boolean {
  return ALIAS.test(name) && entries.some(([, { operationId }]) => operationId === name.replace(ALIAS, ''))
}

function groupOf(tag: string, entries: readonly PathEntry[] | undefined): readonly Group[] {
  if (entries === undefined) return []
  return [{ tag, entries, count: entries.reduce((sum, { operations }) => sum + operations.length, 0) }]
}

/** The operation or group that an address of the page shows. */
export interface ApiLocation {
  /** Null: the introduction. */
  readonly tag: string | null
  readonly operation: string | null
}

/** Reads the anchor of an address: `#getStig`, or `#/Catalogue/getStig` in older links; other anchors are groups. */
export function locate(sections: readonly Section[], hash: string, group: string | null): ApiLocation {
  const [first = '', second] = decodeURIComponent(hash).replace(/^#\/?/, '').split('/')
  const name = second ?? first
  const groups = sections.flatMap((section) => section.groups)
  const holder = groups.find(({ entries }) =>
    entries.some((entry) => entry.operations.some(({ operationId }) => operationId === name)),
  )
  if (holder !== undefined) return { tag: holder.tag, operation: name }
  const tag = groups.find(
    (candidate) => candidate.tag === (second === undefined && first !== '' ? first : (group ?? first)),
  )?.tag
  return { tag: tag ?? null, operation: null }
}

/** The paths that have all words of a filter in their path, method, summary or name. */
export function filterPaths(sections: readonly Section[], filter: string): readonly PathEntry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return sections.flatMap(({ groups }) =>
    groups.flatMap(({ entries }) =>
      entries.filter(({ path, operations }) => {
        const text = [path, ...operations.map(({ method, summary, operationId }) => [method, summary, operationId])]
        const searchedText = text.flat().join(' ').toLowerCase()
        return words.every((word) => searchedText.includes(word))
      }),
    ),
  )
}
