import type { CitingRule } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { nameOf } from '../../platform/words.ts'
import type { OntologyLookup } from './subject.ts'
import { gather, linkEnds, type WalkEnd, type LazyWalk, type ReachedRecord } from './walks.ts'
import { Walk, type WayPoint } from './ways.ts'

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
export function findControl(known: ControlLookup, asked: string): Control | null {
  const wanted = nameOf(asked)
  const [, digits] = /^cci-(\d{1,6})$/.exec(wanted) ?? []
  const cci = `CCI-${digits?.padStart(6, '0') ?? ''}`
  if (known.controls.has(cci)) return { kind: 'cci', id: cci }
  for (const part of partsOf(known, wanted)) {
    const id = startsOf(part).find((start) => nameOf(start) === wanted)
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
export function techniquesOfCci(known: ControlLookup, cci: string): readonly ReachedRecord[] {
  return gather(known.lookup, cciEnds(known, cci, new Walk(bare(cci))))
}

/** The techniques that a NIST control or one of its parts is linked to. */
export function techniquesOfControl(known: ControlLookup, id: string): readonly ReachedRecord[] {
  const start = new Walk(bare(id))
  const ends = partsOf(known, nameOf(id)).flatMap((part) =>
    linkEnds(known.lookup, part, part === id ? start : start.to(bare(part))),
  )
  return gather(known.lookup, ends)
}

export function techniquesOfRule(known: ControlLookup, rule: CitingRule): readonly ReachedRecord[] {
  const start = new Walk(placeOfRule(rule))
  const ends = rule.ccis.flatMap((cci) => cciEnds(known, cci, start.to(bare(cci))))
  return gather(known.lookup, ends)
}

/** The CCIs of a NIST control and its parts. */
export function ccisOfControl(known: ControlLookup, id: string): readonly string[] {
  const { ccisOf } = indexOf(known)
  return partsOf(known, nameOf(id)).flatMap((part) => ccisOf.get(part) ?? [])
}

/** The CCIs that are linked to any of these techniques. */
export function ccisLeadingTo(known: ControlLookup, techniques: readonly ReachedRecord[]): readonly string[] {
  const { ccisOf } = indexOf(known)
  const wanted = new Set(techniques.map(({ document }) => document.iri))
  const leading = known.lookup.content.links.filter(({ technique }) => wanted.has(technique))
  const ccis = leading.flatMap(({ kind, control }) => (kind === 'cci' ? [control] : (ccisOf.get(control) ?? [])))
  return [...new Set(ccis)]
}

/** Walks from a rule to the related techniques; if there are none, to its CCIs. */
export function walksOfRule(
  known: ControlLookup,
  rule: CitingRule,
  among: { readonly ccis: ReadonlySet<string>; readonly techniques: ReadonlySet<string> },
): readonly LazyWalk[] {
  const ccis = rule.ccis.filter((cci) => among.ccis.has(cci))
  const walks = techniquesOfRule(known, { ...rule, ccis })
    .filter(({ document }) => among.techniques.has(document.iri))
    .flatMap((reached) => reached.walks)
  if (walks.length > 0) return walks
  return ccis.map((cci) => () => new Walk(placeOfRule(rule)).to(bare(cci)))
}

/** `before` ends at the CCI. */
function cciEnds({ lookup, controls }: ControlLookup, cci: string, before: Walk): readonly WalkEnd[] {
  const own = linkEnds(lookup, cci, before)
  const control = controls.get(cci)
  if (control === undefined) return own
  const id = idOf(control)
  return [...own, ...linkEnds(lookup, id, before.to(bare(id)))]
}

/** Ids of a control and its parts, from the list and from the ontology. */
function partsOf(known: ControlLookup, name: string): readonly string[] {
  const { names } = indexOf(known)
  const isPart = (other: string): boolean => other === name || other.startsWith(`${name}-`)
  const own = [...names].filter(([, other]) => isPart(other)).map(([id]) => id)
  const linked = [...known.lookup.controlNames].filter(([, other]) => isPart(other))
  return [...new Set([...own, ...linked.map(([id]) => id)])].sort()
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
  const known = indexes.get(controls)
  if (known !== undefined) return known
  const ccisOf = new Map<string, string[]>()
  for (const [cci, control] of controls) append(ccisOf, idOf(control), cci)
  const names = new Map(Array.from(ccisOf.keys(), (id) => [id, nameOf(id)]))
  indexes.set(controls, { names, ccisOf })
  return { names, ccisOf }
}

/** `AC-2 (1)` as the ontology writes it. */
function idOf(control: string): string {
  return control.replaceAll(' ', '')
}

function bare(name: string): WayPoint {
  return { name, text: name }
}

/** Sentences show it without its revision, as people call it. */
function placeOfRule({ ruleId }: CitingRule): WayPoint {
  return { name: ruleId, text: ruleId.replace(/(?:r\d+)?_rule$/, '') }
}
