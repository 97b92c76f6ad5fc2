import { append } from '../../../../platform/append.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { groupDigits, MAX_DEPTH } from '../../files/limits.ts'
import { shortenWords } from '../../files/xml.ts'
import { parseJson } from '../importing/json.ts'
import { MAX_ITEMS, type Control, type Line, type ReferenceData } from '../items.ts'
import { controlOf } from './control-names.ts'
import {
  catalogSchema,
  type OscalCatalog,
  type OscalControl,
  type OscalGroup,
  type OscalParameter,
  type OscalPart,
  type OscalProp,
} from './oscal-schema.ts'
import { ParameterTexts } from './parameter-text.ts'

/**
 * Reads the controls of an OSCAL catalogue of NIST SP 800-53 (JSON), each before its enhancements. Refuses other OSCAL
 * documents and catalogues (`not_reference_data`), with the place; duplicate names (`duplicate_item_id`); invalid UTF-8
 * (`bad_encoding`); too much nesting or too many controls (`too_large`).
 */
export function readOscal(bytes: Uint8Array): ReferenceData {
  const catalog = parseCatalog(bytes)
  const { title, version, published, 'last-modified': modified } = catalog.metadata
  const placed = [...placedControls(catalog)]
  if (placed.length > MAX_ITEMS) throw tooLarge(`more controls than the limit of ${groupDigits(MAX_ITEMS)}`)
  const items = new ControlReader(catalog, placed).read()
  return { kind: 'sp800_53', title, version, published: (published ?? modified)?.slice(0, 10) ?? null, items }
}

function parseCatalog(bytes: Uint8Array): OscalCatalog {
  const value = parseJson(bytes)
  if (!isShallow(value)) throw tooLarge(`nested deeper than the limit of ${MAX_DEPTH} levels`)
  const [[kind, content] = ['']] = Object.entries(value)
  if (kind !== 'catalog')
    throw refuse(`The file is OSCAL with the root ${shortenWords(kind)}; expected catalog, with all controls.`)
  const parsed = catalogSchema.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = ['catalog', ...(issue?.path ?? [])].join('/')
  throw refuse(`The OSCAL catalogue cannot be used at ${shortenWords(path)}: ${issue?.message ?? 'other content'}.`)
}

/** Checks level by level, because recursion would fail for deep nesting. */
function isShallow(value: object): boolean {
  let level: readonly object[] = [value]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) level = level.flatMap(objectsIn)
  return level.length === 0
}

function objectsIn(value: object): readonly object[] {
  const members: readonly unknown[] = Object.values(value)
  return members.filter((member) => typeof member === 'object' && member !== null)
}

interface ControlInCatalog {
  readonly control: OscalControl
  readonly family: string
  readonly parent: OscalControl | null
}

function* placedControls(catalog: OscalCatalog): Generator<ControlInCatalog> {
  for (const control of catalog.controls) yield* withEnhancements({ control, family: '', parent: null })
  for (const group of catalog.groups) yield* controlsIn(group)
}

function* controlsIn(group: OscalGroup): Generator<ControlInCatalog> {
  for (const control of group.controls) yield* withEnhancements({ control, family: group.title, parent: null })
  for (const inner of group.groups ?? []) yield* controlsIn(inner)
}

function* withEnhancements(placed: ControlInCatalog): Generator<ControlInCatalog> {
  yield placed
  const { control: parent, family } = placed
  for (const control of parent.controls ?? []) yield* withEnhancements({ control, family, parent })
}

class ControlReader {
  readonly #placed: readonly ControlInCatalog[]
  readonly #texts: ParameterTexts
  /** Names of controls and titles of documents, by the targets of links. */
  readonly #targets: ReadonlyMap<string, string>

  constructor(catalog: OscalCatalog, placed: readonly ControlInCatalog[]) {
    this.#placed = placed
    this.#texts = new ParameterTexts(parametersOf(catalog, placed))
    this.#targets = new Map([
      ...catalog['back-matter'].resources.map(({ uuid, title }) => [`#${uuid}`, title ?? uuid] as const),
      ...placed.map(({ control }) => [`#${control.id}`, nameOf(control)] as const),
    ])
  }

  read(): readonly Control[] {
    const knownIds = new Set<string>()
    return this.#placed.map((placed) => {
      const control = this.#control(placed)
      if (knownIds.has(control.id))
        throw new Refusal('duplicate_item_id', `The control ${control.id} is in the catalogue twice.`)
      knownIds.add(control.id)
      return control
    })
  }

  #control({ control, family, parent }: ControlInCatalog): Control {
    const { id, title, props, parts, params, links } = control
    const byName = new Map<string, OscalPart[]>()
    for (const part of parts) append(byName, part.name, part)
    return {
      id: nameOf(control),
      oscal_id: id,
      title: this.#texts.fill(title),
      family,
      enhances: parent === null ? null : nameOf(parent),
      withdrawn: valueOf(props, 'status')?.toLowerCase() === 'withdrawn',
      statement: [...this.#lines(byName.get('statement') ?? [])],
      guidance: [...this.#lines(byName.get('guidance') ?? [])],
      parameters: params.map((parameter) => this.#parameter(parameter)),
      links: links.map(({ rel, href }) => ({ rel: rel ?? null, href, text: this.#targets.get(href) ?? null })),
      enhancements: (control.controls ?? []).map(nameOf),
    }
  }

  #parameter({ id, guidelines }: OscalParameter): Control['parameters'][number] {
    return { id, text: this.#texts.of(id), guidelines: guidelines.map(({ prose }) => this.#texts.fill(prose)) }
  }

  /** Lists the texts of parts. A part without text is left out, but not the parts in it. */
  #lines(parts: readonly OscalPart[], depth = 0): readonly Line[] {
    return parts.flatMap(({ id, prose = '', props, parts: inner = [] }) => {
      const label = valueOf(props, 'label')
      const text = this.#texts.fill(prose)
      const partLine = text === '' && label === null ? [] : [{ id: id ?? null, label, depth, text }]
      return [...partLine, ...this.#lines(inner, partLine.length === 0 ? depth : depth + 1)]
    })
  }
}

function* parametersOf(catalog: OscalCatalog, placed: readonly ControlInCatalog[]): Generator<OscalParameter> {
  yield* catalog.params
  for (const group of catalog.groups) yield* parametersIn(group)
  for (const { control } of placed) yield* control.params
}

function* parametersIn(group: OscalGroup): Generator<OscalParameter> {
  yield* group.params
  for (const inner of group.groups ?? []) yield* parametersIn(inner)
}

/** Returns the printed value of a property: a control also has labels with zeros and those of SP 800-53A. */
function valueOf(props: readonly OscalProp[], name: string): string | null {
  const named = props.filter((prop) => prop.name === name)
  return (named.find((prop) => prop.class === undefined) ?? named[0])?.value ?? null
}

/** Returns the name, such as `AC-2 (1)`, from the label or the id. Refuses other names than those of SP 800-53. */
function nameOf({ id, props }: OscalControl): string {
  const name = controlOf(valueOf(props, 'label') ?? '') ?? controlOf(id)
  if (name === null) throw refuse(`The control ${shortenWords(id)} has no name like AC-2 (1).`)
  return name
}

function tooLarge(problem: string): Refusal {
  return new Refusal('too_large', `The OSCAL catalogue is ${problem}.`)
}

function refuse(detail: string): Refusal {
  return new Refusal('not_reference_data', detail)
}
