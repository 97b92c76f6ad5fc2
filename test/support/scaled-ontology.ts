import { D3F, OWL, RDFS, SKOS } from '../../src/graph/vocabulary.ts'

/**
 * An invented ontology in the vocabulary and with the proportions of a D3FEND release, as Turtle,
 * one block per subject. The same factor always gives the same text. Factor 1 has some 31,000
 * statements; a factor of N has N such clusters below common roots, tactics and top techniques. No
 * statement links two clusters, so statements and mapping rows both grow in proportion.
 */
export function* scaledOntology(factor: number): Generator<string> {
  if (!Number.isInteger(factor) || factor < 1) throw new RangeError('The factor counts clusters')
  yield* core(factor)
  for (let id = 1; id <= factor; id += 1) {
    // Every cluster has the same shape and other words.
    const cluster = { id, shape: randomFrom(1), prose: randomFrom(1000 + id) }
    const artifacts = yield* artifactTree(cluster)
    const defensive = yield* defenses(cluster, artifacts)
    yield* offenses(cluster, artifacts)
    yield* weaknessTree(cluster, artifacts)
    yield* sensors(cluster, artifacts)
    yield* analytics(cluster)
    yield* controls(cluster, defensive)
  }
}

/** A number from 0 up to 1, the next of a fixed sequence. */
type Random = () => number

type Names = readonly string[]

type Statements = readonly (readonly [property: string, ...objects: string[]])[]

interface Cluster {
  readonly id: number
  /** Decides what is linked to what. */
  readonly shape: Random
  /** Decides words and lengths. */
  readonly prose: Random
}

const TACTICS: Names = ['Model', 'Harden', 'Detect', 'Isolate', 'Deceive', 'Evict', 'Restore']
const TOP_TECHNIQUES = 24
const OFFENSIVE_TACTICS = 14
const REFERENCES: Names = ['Patent', 'Specification', 'Article', 'Paper', 'Manual', 'Guideline']
const ROOTS =
  'DefensiveTactic DefensiveTechnique OffensiveTactic OffensiveTechnique DigitalArtifact ' +
  'Weakness Analytic Control TechniqueReference'
/** The links of classes to artifacts: relations, chances of a first link, of a second …, and the skew. */
const TOUCHING = {
  defensive: { how: 'analyzes maps restricts filters deletes', chances: [0.9, 0.16], bias: 2.2 },
  offensive: { how: 'modifies produces accesses adds', chances: [0.44, 0.16, 0.05], bias: 1.5 },
  weakness: { how: 'weakness-of may-be-weakness-of', chances: [0.03], bias: 1.2 },
  artifact: { how: 'contains may-contain loads manages runs', chances: [0.45], bias: 1 },
} as const
/** The sizes of a cluster. */
const COUNTS = { artifacts: 678, defensive: 178, offensive: 312, subTechniques: 468 } as const
const OTHERS = { weaknesses: 933, sensors: 9, analytics: 370, controls: 625 } as const

const CLASS = ['a', 'owl:Class'] as const
const PUNNED = ['a', 'owl:Class', 'owl:NamedIndividual'] as const
const NOON = '"2026-01-31T12:00:00"^^xsd:dateTime'

/** Writes the part that does not grow with the factor. */
function* core(factor: number): Generator<string> {
  const xsd = 'http://www.w3.org/2001/XMLSchema#'
  for (const [prefix, space] of Object.entries({ d3f: D3F, owl: OWL, rdfs: RDFS, skos: SKOS, xsd }))
    yield `@prefix ${prefix}: <${space}> .\n`
  yield `\n<${D3F.slice(0, -1)}> a owl:Ontology ;\n    owl:versionInfo "scale-${factor}" ;\n`
  yield `    d3f:release-date ${NOON} .\n\n`
  const general = 'may-be-associated-with'
  const property = ['a', 'owl:ObjectProperty'] as const
  yield block(general, [property])
  const touching = Object.values(TOUCHING).map(({ how }) => how)
  const relations = ['associated-with enables monitors kb-reference', ...touching].join(' ')
  for (const name of relations.split(' ')) yield block(name, [property, ['rdfs:subPropertyOf', d3f(general)]])
  for (const name of ROOTS.split(' ')) yield block(name, [CLASS])
  yield block('Organization', [['a', 'owl:NamedIndividual']])
  yield block('Sensor', [CLASS, subclassOf('DigitalArtifact')])
  for (const type of REFERENCES) {
    const label = ['d3f:pref-label', quoted(type)] as const
    yield block(`${type}Reference`, [CLASS, label, subclassOf('TechniqueReference')])
  }
  const prose = randomFrom(0)
  for (const [order, name] of TACTICS.entries())
    yield block(name, [
      [...PUNNED, 'd3f:DefensiveTactic'],
      ['d3f:definition', text(prose, 150)],
      ['d3f:display-order', String(order - 1)],
      ['d3f:display-priority', order === 0 ? '1' : '0'],
      subclassOf('DefensiveTactic'),
    ])
  for (let index = 0; index < TOP_TECHNIQUES; index += 1)
    yield block(`TopTechnique${padded(index, 2)}`, [
      ...defensiveFacts(prose, index),
      subclassOf('DefensiveTechnique'),
      ...link('enables', TACTICS[index % TACTICS.length] ?? ''),
    ])
  for (let index = 0; index < OFFENSIVE_TACTICS; index += 1) {
    const tactic = `TA${padded(index, 4)}`
    const order = ['d3f:display-order', String(index)] as const
    yield block(tactic, [PUNNED, order, subclassOf('OffensiveTactic')])
    const name = `OffensiveClass${padded(index, 2)}`
    yield block(name, [CLASS, subclassOf('OffensiveTechnique'), ...link('enables', tactic)])
  }
}

/** A tree below d3f:DigitalArtifact; returns the names, those nearest to the root first. */
function* artifactTree({ id, shape, prose }: Cluster): Generator<string, Names> {
  const names = namesOf(COUNTS.artifacts, (index) => `${words(prose, 2)}-${id}.${index}`)
  for (const { name, parents } of grow(names, { roots: 14, depth: 9, second: 0.12 }, shape))
    yield block(name, [
      prose() < 0.65 ? PUNNED : CLASS,
      ...maybe(prose, 0.83, ['d3f:definition', text(prose, 260)]),
      ...maybe(prose, 0.47, ['rdfs:seeAlso', webPage(prose)]),
      ...maybe(prose, 0.4, ['rdfs:isDefinedBy', webPage(prose)]),
      ...maybe(prose, 0.23, ['skos:altLabel', title(prose, 2)]),
      subclassOf('DigitalArtifact', parents),
      ...assertions(shape, names, TOUCHING.artifact),
    ])
  return names
}

/** Techniques under the common top techniques, and what they cite; returns the names. */
function* defenses({ id, shape, prose }: Cluster, artifacts: Names): Generator<string, Names> {
  const names = namesOf(COUNTS.defensive, (index) => `${words(prose, 3)}-${id}.${index}`)
  const tree = grow(names, { roots: 96, depth: 4, second: 0 }, shape)
  for (const [index, { name, parents }] of tree.entries()) {
    const written = [1, 2].map((nth) => `Reference-${id}.${index}.${nth}`)
    for (const reference of written) yield block(reference, referenceFacts(prose, name))
    const cited = index % 3 === 0 ? [...written, `Reference-${id}.0.1`] : written
    yield block(name, [
      ...defensiveFacts(prose, TOP_TECHNIQUES + (id - 1) * COUNTS.defensive + index),
      ['d3f:kb-reference', ...cited.map(d3f)],
      subclassOf(`TopTechnique${padded(index % TOP_TECHNIQUES, 2)}`, parents),
      ...assertions(shape, artifacts, TOUCHING.defensive),
    ])
  }
  return names
}

function* offenses({ id, shape, prose }: Cluster, artifacts: Names): Generator<string> {
  const first = 1000 + (id - 1) * COUNTS.offensive
  const names = namesOf(COUNTS.offensive, (index) => `T${first + index}`)
  const facts = (name: string): Statements => [
    prose() < 0.4 ? PUNNED : CLASS,
    ['d3f:attack-id', quoted(name)],
    ['d3f:definition', text(prose, 450)],
    ...maybe(prose, 0.18, ['owl:deprecated', 'true'], ['rdfs:comment', text(prose, 55)]),
    ...assertions(shape, artifacts, TOUCHING.offensive),
  ]
  for (const [index, name] of names.entries()) {
    const above = index % 3 === 0 ? [index, index + 5] : [index]
    const parents = above.map((tactic) => `OffensiveClass${padded(tactic % OFFENSIVE_TACTICS, 2)}`)
    yield block(name, [...facts(name), subclassOf('', parents)], title(prose, 3))
  }
  for (let index = 0; index < COUNTS.subTechniques; index += 1) {
    const parent = pick(names.slice(0, 110), shape, 2.3)
    const name = `${parent}.${padded(index, 3)}`
    yield block(name, [...facts(name), subclassOf(parent)], title(prose, 3))
  }
}

function* weaknessTree({ id, shape, prose }: Cluster, artifacts: Names): Generator<string> {
  const first = (id - 1) * OTHERS.weaknesses + 1
  const names = namesOf(OTHERS.weaknesses, (index) => `CWE-${first + index}`)
  for (const { name, parents } of grow(names, { roots: 10, depth: 7, second: 0.18 }, shape)) {
    const facts: Statements = [
      CLASS,
      ['d3f:cwe-id', quoted(name)],
      subclassOf('Weakness', parents),
      ...assertions(shape, artifacts, TOUCHING.weakness),
    ]
    yield block(name, facts, title(prose, 6))
  }
}

function* sensors({ id, shape, prose }: Cluster, artifacts: Names): Generator<string> {
  for (const name of namesOf(OTHERS.sensors, (index) => `Sensor-${id}.${index}`)) {
    const definition = ['d3f:definition', text(prose, 75)] as const
    const monitored = link('monitors', pick(artifacts, shape, 1.2))
    yield block(name, [PUNNED, definition, subclassOf('Sensor'), ...monitored])
  }
}

/** Classes outside the mappings, such as the analytics of D3FEND. */
function* analytics({ id, prose }: Cluster): Generator<string> {
  for (const name of namesOf(OTHERS.analytics, (index) => `${words(prose, 2)}-Model-${id}.${index}`))
    yield block(name, [
      PUNNED,
      ['d3f:definition', text(prose, 220)],
      ...maybe(prose, 0.6, ['d3f:kb-article', text(prose, 300)]),
      subclassOf('Analytic'),
    ])
}

/** Individuals that point at defensive techniques. */
function* controls({ id, shape, prose }: Cluster, defensive: Names): Generator<string> {
  const catalog = `Catalog-${id}`
  const names = namesOf(OTHERS.controls, (index) => `Control-${id}.${index}`)
  const kind = ['a', 'd3f:Control', 'owl:NamedIndividual'] as const
  yield block(catalog, [kind, ['d3f:has-member', ...names.map(d3f)]])
  for (const name of names)
    yield block(name, [
      kind,
      ['d3f:definition', text(prose, 180)],
      ['d3f:contributor', 'd3f:Organization'],
      ['d3f:published', NOON],
      ['d3f:member-of', d3f(catalog)],
      [shape() < 0.6 ? 'd3f:narrower' : 'd3f:broader', d3f(pick(defensive, shape, 1))],
    ])
}

function defensiveFacts(prose: Random, number: number): Statements {
  return [
    [...PUNNED, 'd3f:DefensiveTechnique'],
    ['d3f:d3fend-id', quoted(`D3-S${number}`)],
    ['d3f:definition', text(prose, 105)],
    ...maybe(prose, 0.66, ['d3f:kb-article', text(prose, 1100)]),
    ...maybe(prose, 0.36, ['d3f:synonym', title(prose, 2)]),
  ]
}

function referenceFacts(prose: Random, technique: string): Statements {
  return [
    ['a', `d3f:${pick(REFERENCES, prose, 2)}Reference`, 'owl:NamedIndividual'],
    ['d3f:has-link', webPage(prose)],
    ['d3f:kb-abstract', text(prose, 650)],
    ['d3f:kb-author', title(prose, 4)],
    ...maybe(prose, 0.5, ['d3f:kb-mitre-analysis', text(prose, 200)]),
    ['d3f:kb-organization', title(prose, 2)],
    ['d3f:kb-reference-of', d3f(technique)],
    ['d3f:kb-reference-title', title(prose, 6)],
  ]
}

/** A tree of names: the parents of each node come before it, and the first `roots` nodes have none. */
function grow(
  names: Names,
  { roots, depth, second }: { roots: number; depth: number; second: number },
  random: Random,
): readonly { readonly name: string; readonly parents: Names }[] {
  const inner: string[] = []
  const depths = new Map<string, number>()
  return names.map((name, index) => {
    const count = Number(index >= roots) + Number(index >= roots && random() < second)
    const parents = [...new Set(namesOf(count, () => pick(inner, random, 1)))]
    const ownDepth = 1 + Math.max(0, ...parents.map((parent) => depths.get(parent) ?? 0))
    depths.set(name, ownDepth)
    if (ownDepth < depth) inner.push(name)
    return { name, parents }
  })
}

function assertions(
  random: Random,
  artifacts: Names,
  { how, chances, bias }: (typeof TOUCHING)[keyof typeof TOUCHING],
): Statements {
  const drawn = random()
  return chances
    .filter((chance) => drawn < chance)
    .flatMap(() => link(pick(how.split(' '), random, 2), pick(artifacts, random, bias)))
}

/** A direct statement and its equivalent restriction. */
function link(relation: string, target: string): Statements {
  const restriction = `owl:onProperty d3f:${relation} ; owl:someValuesFrom d3f:${target}`
  const below = ['rdfs:subClassOf', `[ a owl:Restriction ; ${restriction} ]`] as const
  return [[d3f(relation), d3f(target)], below]
}

function subclassOf(root: string, parents: Names = []): Statements[number] {
  return ['rdfs:subClassOf', ...(parents.length === 0 ? [root] : parents).map(d3f)]
}

function maybe(random: Random, chance: number, ...statements: Statements): Statements {
  return random() < chance ? statements : []
}

function block(name: string, statements: Statements, label = quoted(spelt(name))): string {
  const stated: Statements = [...statements, ['rdfs:label', label]]
  const lines = stated.map(([property, ...objects]) => `${property} ${objects.join(', ')}`)
  return `d3f:${name} ${lines.join(' ;\n    ')} .\n\n`
}

/** `CedarField-1.2` is called "Cedar Field 1.2". */
function spelt(name: string): string {
  return name.replaceAll('-', ' ').replace(/([a-z])([A-Z])/g, '$1 $2')
}

function d3f(name: string): string {
  return `d3f:${name}`
}

function namesOf(count: number, nameOf: (index: number) => string): Names {
  return Array.from({ length: count }, (_, index) => nameOf(index))
}

function padded(index: number, digits: number): string {
  return String(index + 1).padStart(digits, '0')
}

const VERBS = 'Holds Seals Counts Orders Shifts Marks Weighs Splits Folds Traces'.split(' ')
const WORDS = (
  'Amber Basin Cedar Delta Ember Field Grain Harbor Inlet Juniper Kettle Lantern Meadow Needle ' +
  'Orchard Pebble Quarry Ribbon Saddle Timber Umbrella Valley Willow Yarrow Zephyr Anchor Bridge ' +
  'Canvas Drawer Engine Flagon Garden Hammer Island Jacket Kernel Ladder Mirror Nectar Oyster ' +
  'Pillar Quiver Rafter Signal Tunnel Urchin Vessel Wagon Yonder Zinc'
).split(' ')

/** Meaningless sentences, on average a little longer than requested. */
function text(prose: Random, length: number): string {
  const wanted = length * (0.4 + 1.2 * prose())
  let sentences = ''
  while (sentences.length < wanted) {
    const rest = `${pick(VERBS, prose, 1)} ${spelt(words(prose, 3))}`.toLowerCase()
    sentences += `${sentences === '' ? '' : ' '}${pick(WORDS, prose, 1)} ${rest}.`
  }
  return quoted(sentences)
}

function title(prose: Random, count: number): string {
  return quoted(spelt(words(prose, count)))
}

function words(prose: Random, count: number): string {
  return namesOf(count, () => pick(WORDS, prose, 1)).join('')
}

function webPage(prose: Random): string {
  return `<https://example.org/${words(prose, 3).toLowerCase()}>`
}

function quoted(value: string): string {
  return JSON.stringify(value)
}

/** One of the list; a bias above 1 favours its beginning. */
function pick(list: Names, random: Random, bias: number): string {
  const picked = list[Math.floor(random() ** bias * list.length)]
  if (picked === undefined) throw new RangeError('There is nothing to pick from')
  return picked
}

/** mulberry32: small, fast, the same on every machine. */
function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
