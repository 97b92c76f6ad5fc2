import { readFileSync } from 'node:fs'
import { EmbeddedGraph, parseQuads, type PlainQuad } from '../../src/graph/store.ts'
import { D3F, rdf, rdfs } from '../../src/graph/vocabulary.ts'
import { append } from '../../src/platform/append.ts'

export function ontologyOf(file: string): EmbeddedGraph {
  const graph = new EmbeddedGraph()
  graph.load(new Uint8Array(readFileSync(file)), 'text/turtle')
  return graph
}

/** Everything below a class. */
function belowClass(quads: readonly PlainQuad[], root: string): ReadonlySet<string> {
  const children = new Map<string, string[]>()
  for (const { subject, predicate, object } of quads)
    if (predicate.value === rdfs.subClassOf) append(children, object.value, subject.value)
  const below = new Set(children.get(root))
  for (const name of below) for (const child of children.get(name) ?? []) below.add(child)
  return below
}

/** Reached techniques by CCI, computed from the statements without queries or tested code. */
export function techniquesByCci(ontology: EmbeddedGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const quads = parseQuads(ontology.dump())
  const techniques = belowClass(quads, `${D3F}DefensiveTechnique`)
  const isA = quads.filter(({ predicate }) => predicate.value === rdf.type)
  const ccis = isA.filter(({ object }) => object.value === `${D3F}CCIControl`)
  const controls = new Set(ccis.map(({ subject }) => subject.value))
  const labels = new Map(
    quads
      .filter(({ predicate }) => predicate.value === rdfs.label)
      .map(({ subject, object }) => [subject.value, object.value]),
  )
  const reached = new Map<string, Set<string>>()
  for (const { subject, predicate, object } of quads) {
    if (predicate.value === rdf.type || !controls.has(subject.value)) continue
    const label = labels.get(subject.value) ?? ''
    const techniquesOfCci = reached.get(label) ?? new Set<string>()
    if (techniques.has(object.value)) reached.set(label, techniquesOfCci.add(object.value))
  }
  return reached
}

/** Rules with their CCIs, read from the text of the file. */
export function ccisByRule(xml: string): ReadonlyMap<string, readonly string[]> {
  const rules = [...xml.matchAll(/<Rule id="([^"]+)".*?<\/Rule>/gs)]
  return new Map(
    rules.map(([text, id = '']) => [id, Array.from(text.matchAll(/<ident[^>]*>(CCI-\d+)</g), ([, cci = '']) => cci)]),
  )
}
