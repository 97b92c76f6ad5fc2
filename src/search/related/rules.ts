import type { CitingRule } from '../../contracts/guidance-records.ts'
import { append } from '../../platform/append.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { nameOf } from '../../platform/words.ts'
import { controlId } from '../knowledge/ontology-records.ts'
import { LinkPath, type PathNode } from './link-path.ts'
import { recordsAtEnds, linkEnds, type PathEnd, type LazyPath, type ReachedRecord } from './reached-records.ts'
import type { OntologyLookup } from './subject.ts'

/** Links from CCIs and rules to techniques. */
export interface ControlLookup {
  readonly lookup: OntologyLookup
  /** By CCI, as `RuleSource` has them. */
  readonly controls: ReadonlyMap<string, string>
}

/** A CCI or a control of NIST. */
interface Control {
  readonly kind: 'cci' | 'control'
  readonly id: string
}

/** The CCI or control of a name, even if the ontology does not have it: `cci 15`, `AC-2`, `ac-2 (1)`. */
export function findControl(lookup: ControlLookup, subject: string): Control | null {
  const name = nameOf(subject)
  const [, digits] = /^cci-(\d{1,6})$/.exec(name) ?? []
  const cci = `CCI-${digits?.padStart(6, '0') ?? ''}`
  if (lookup.controls.has(cci)) return { kind: 'cci', id: cci }
  for (const part of partsOf(lookup, name)) {
    const id = startsOf(part).find((start) => nameOf(start) === name)
    if (id !== undefined) return { kind: 'control', id }
  }
  return null
}

/** The controls above an id, and itself: `AC-2(1)` → `AC-2`, `AC-2(1)`. */
function startsOf(id: string): readonly string[] {
  return Array.from(id.matchAll(/[A-Za-z]+-\d+|\(\d+\)|[a-z]+|\d+/g), ({ 0: step, index }) =>
    id.slice(0, index + step.length),
  )
}

/** The techniques that a CCI is linked to, by itself or by its NIST control. */
export function techniquesOfCci(sources: ControlLookup, cci: string): readonly ReachedRecord[] {
  return recordsAtEnds(sources.lookup, cciEnds(sources, cci, new LinkPath(bare(cci))))
}

/** The techniques that a NIST control or one of its parts is linked to. */
export function techniquesOfControl(lookup: ControlLookup, id: string): readonly ReachedRecord[] {
  const start = new LinkPath(bare(id))
  const ends = partsOf(lookup, nameOf(id)).flatMap((part) =>
    linkEnds(lookup.lookup, part, part === id ? start : start.to(bare(part))),
  )
  return recordsAtEnds(lookup.lookup, ends)
}

export function techniquesOfRule(lookup: ControlLookup, rule: CitingRule): readonly ReachedRecord[] {
  const start = new LinkPath(nodeOfRule(rule))
  const ends = rule.ccis.flatMap((cci) => cciEnds(lookup, cci, start.to(bare(cci))))
  return recordsAtEnds(lookup.lookup, ends)
}

/** The CCIs of a NIST control and its parts. */
export function ccisOfControl(lookup: ControlLookup, id: string): readonly string[] {
  const { ccisOf } = indexOf(lookup)
  return partsOf(lookup, nameOf(id)).flatMap((part) => ccisOf.get(part) ?? [])
}

/** The CCIs that are linked to any of these techniques. */
export function ccisLeadingTo(lookup: ControlLookup, techniques: readonly ReachedRecord[]): readonly string[] {
  const { ccisOf } = indexOf(lookup)
  const iris = new Set(techniques.map(({ document }) => document.iri))
  const leading = lookup.lookup.content.links.filter(({ technique }) => iris.has(technique))
  const ccis = leading.flatMap(({ kind, control }) => (kind === 'cci' ? [control] : (ccisOf.get(control) ?? [])))
  return [...new Set(ccis)]
}

/** Paths from a rule to the related techniques; if there are none, to its CCIs. */
export function pathsOfRule(
  lookup: ControlLookup,
  rule: CitingRule,
  among: { readonly ccis: ReadonlySet<string>; readonly techniques: ReadonlySet<string> },
): readonly LazyPath[] {
  const ccis = rule.ccis.filter((cci) => among.ccis.has(cci))
  const paths = techniquesOfRule(lookup, { ...rule, ccis })
    .filter(({ document }) => among.techniques.has(document.iri))
    .flatMap((reached) => reached.paths)
  if (paths.length > 0) return paths
  return ccis.map((cci) => () => new LinkPath(nodeOfRule(rule)).to(bare(cci)))
}

/** `before` ends at the CCI. */
function cciEnds({ lookup, controls }: ControlLookup, cci: string, before: LinkPath): readonly PathEnd[] {
  const ends = linkEnds(lookup, cci, before)
  const control = controls.get(cci)
  if (control === undefined) return ends
  const id = controlId(control)
  return [...ends, ...linkEnds(lookup, id, before.to(bare(id)))]
}

/** Ids of a control and its parts, from the list and from the ontology. */
function partsOf(lookup: ControlLookup, name: string): readonly string[] {
  const { names } = indexOf(lookup)
  const isPart = (candidate: string): boolean => candidate === name || candidate.startsWith(`${name}-`)
  const parts = [...names].filter(([, partName]) => isPart(partName)).map(([id]) => id)
  const linked = [...lookup.lookup.controlNames].filter(([, partName]) => isPart(partName))
  return [...new Set([...parts, ...linked.map(([id]) => id)])].sort()
}

interface ControlIndex {
  /** Names of NIST controls as `nameOf` writes them, by id. */
  readonly names: ReadonlyMap<string, string>
  /** By the id of a control. */
  readonly ccisOf: ReadonlyMap<string, readonly string[]>
}

const indexes = new WeakMap<ControlLookup['controls'], ControlIndex>()

/** Made once: the list has thousands of entries. */
function indexOf({ controls }: ControlLookup): ControlIndex {
  return getOrMake(indexes, controls, () => {
    const ccisOf = new Map<string, string[]>()
    for (const [cci, control] of controls) append(ccisOf, controlId(control), cci)
    return { names: new Map(Array.from(ccisOf.keys(), (id) => [id, nameOf(id)])), ccisOf }
  })
}

function bare(name: string): PathNode {
  return { name, text: name }
}

/** Sentences show it without its revision, as people call it. */
function nodeOfRule({ ruleId }: CitingRule): PathNode {
  return { name: ruleId, text: ruleId.replace(/(?:r\d+)?_rule$/, '') }
}
