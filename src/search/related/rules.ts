import type { CitingRule } from '../../contracts/guidance-records.ts'
import { append } from '../../platform/append.ts'
import { nameOf } from '../../platform/words.ts'
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
export function findControl(known: ControlLookup, subject: string): Control | null {
  const name = nameOf(subject)
  const [, digits] = /^cci-(\d{1,6})$/.exec(name) ?? []
  const cci = `CCI-${digits?.padStart(6, '0') ?? ''}`
  if (known.controls.has(cci)) return { kind: 'cci', id: cci }
  for (const part of partsOf(known, name)) {
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
export function techniquesOfCci(known: ControlLookup, cci: string): readonly ReachedRecord[] {
  return recordsAtEnds(known.lookup, cciEnds(known, cci, new LinkPath(bare(cci))))
}

/** The techniques that a NIST control or one of its parts is linked to. */
export function techniquesOfControl(known: ControlLookup, id: string): readonly ReachedRecord[] {
  const start = new LinkPath(bare(id))
  const ends = partsOf(known, nameOf(id)).flatMap((part) =>
    linkEnds(known.lookup, part, part === id ? start : start.to(bare(part))),
  )
  return recordsAtEnds(known.lookup, ends)
}

export function techniquesOfRule(known: ControlLookup, rule: CitingRule): readonly ReachedRecord[] {
  const start = new LinkPath(nodeOfRule(rule))
  const ends = rule.ccis.flatMap((cci) => cciEnds(known, cci, start.to(bare(cci))))
  return recordsAtEnds(known.lookup, ends)
}

/** The CCIs of a NIST control and its parts. */
export function ccisOfControl(known: ControlLookup, id: string): readonly string[] {
  const { ccisOf } = indexOf(known)
  return partsOf(known, nameOf(id)).flatMap((part) => ccisOf.get(part) ?? [])
}

/** The CCIs that are linked to any of these techniques. */
export function ccisLeadingTo(known: ControlLookup, techniques: readonly ReachedRecord[]): readonly string[] {
  const { ccisOf } = indexOf(known)
  const iris = new Set(techniques.map(({ document }) => document.iri))
  const leading = known.lookup.content.links.filter(({ technique }) => iris.has(technique))
  const ccis = leading.flatMap(({ kind, control }) => (kind === 'cci' ? [control] : (ccisOf.get(control) ?? [])))
  return [...new Set(ccis)]
}

/** Paths from a rule to the related techniques; if there are none, to its CCIs. */
export function pathsOfRule(
  known: ControlLookup,
  rule: CitingRule,
  among: { readonly ccis: ReadonlySet<string>; readonly techniques: ReadonlySet<string> },
): readonly LazyPath[] {
  const ccis = rule.ccis.filter((cci) => among.ccis.has(cci))
  const paths = techniquesOfRule(known, { ...rule, ccis })
    .filter(({ document }) => among.techniques.has(document.iri))
    .flatMap((reached) => reached.paths)
  if (paths.length > 0) return paths
  return ccis.map((cci) => () => new LinkPath(nodeOfRule(rule)).to(bare(cci)))
}

/** `before` ends at the CCI. */
function cciEnds({ lookup, controls }: ControlLookup, cci: string, before: LinkPath): readonly PathEnd[] {
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

function bare(name: string): PathNode {
  return { name, text: name }
}

/** Sentences show it without its revision, as people call it. */
function nodeOfRule({ ruleId }: CitingRule): PathNode {
  return { name: ruleId, text: ruleId.replace(/(?:r\d+)?_rule$/, '') }
}
