import type { CoverageLayer } from '../contracts/coverage.ts'
import type { AttackDomain, OntologyDocument } from '../contracts/sources.ts'
import type { Measurement } from './measure.ts'
import { MEANING } from './report.ts'
import { titleOf } from './sums.ts'

/** The oldest Navigator that reads format 4.5 (layer format 4.5, Version object). */
const VERSIONS = { navigator: '4.9.0', layer: '4.5' }
/** Limit of the rules that a comment names; the others are counted. */
const MAX_NAMED = 100
const COLOURS = ['#dcecfb', '#063a70']

/**
 * A layer of MITRE ATT&CK Navigator with the attacks of one domain: the score of an attack is the number of rules that
 * counter it.
 */
export function attackLayer(measured: Measurement, domain: AttackDomain): CoverageLayer {
  const { paths, attacks } = measured
  const documents = [...paths.attacks.values()].filter((attack) => attack.domain === domain)
  return layerOf(measured, { domain, documents, places: attacks })
}

/** A layer of defensive techniques, by their D3FEND ids. */
export function defenseLayer(measured: Measurement): CoverageLayer {
  const { paths, techniques } = measured
  return layerOf(measured, { domain: 'd3fend', documents: [...paths.techniques.values()], places: techniques })
}

interface LayerContent {
  readonly domain: string
  readonly documents: readonly OntologyDocument[]
  readonly places: ReadonlyMap<string, readonly number[]>
}

function layerOf(measured: Measurement, { domain, documents, places }: LayerContent): CoverageLayer {
  const { sources, paths } = measured
  const techniques = documents.flatMap((document) => {
    const ruleIndexes = places.get(document.iri)
    return ruleIndexes === undefined || document.id === null ? [] : [shapeTechnique(measured, document.id, ruleIndexes)]
  })
  const titles = sources.map(titleOf).join(', ')
  return {
    name: `Techniques and attacks linked to ${titles}`.slice(0, 200),
    versions: VERSIONS,
    domain,
    description: `${titles}. D3FEND ${paths.release.version}. ${MEANING}`,
    // Highest score first.
    sorting: 3,
    layout: { layout: 'side', showID: true, showName: true, expandedSubtechniques: 'annotated' },
    hideDisabled: false,
    techniques,
    gradient: {
      colors: COLOURS,
      minValue: 0,
      maxValue: Math.max(1, ...techniques.map(({ score }) => score)),
    },
    metadata: [
      { name: 'Ontology', value: paths.release.version },
      { name: 'Ontology digest', value: paths.release.digest },
      ...sources.map((source) => ({ name: source.kind, value: titleOf(source) })),
    ],
  }
}

function shapeTechnique(
  { rules, sources }: Measurement,
  id: string,
  ruleIndexes: readonly number[],
): CoverageLayer['techniques'][number] {
  const names = ruleIndexes.slice(0, MAX_NAMED).flatMap((index) => rules[index]?.rule.ruleId ?? [])
  const others = ruleIndexes.length > names.length ? ` and ${ruleIndexes.length - names.length} more` : ''
  const perSource = sources.map((source, sourceIndex) => ({
    name: titleOf(source),
    value: String(ruleIndexes.filter((index) => rules[index]?.source === sourceIndex).length),
  }))
  return {
    techniqueID: id,
    score: ruleIndexes.length,
    comment: `${names.join(', ')}${others}`,
    enabled: true,
    showSubtechniques: true,
    metadata: perSource.filter(({ value }) => value !== '0'),
  }
}
