import type { components } from '#api-types'
import { shapeAttacks, type MetAttack } from '../attacks.ts'
import { distinct, distinctBy } from '../distinct.ts'
import { cell, labelOf, linksOf, nameOf, nodeOf, textOf, textsOf, type NamedRecord, type Row } from '../json-ld.ts'

type TechniqueAnswer = Pick<
  components['schemas']['Technique'],
  'def_to_off' | 'description' | 'digital_artifacts' | 'references' | 'subtechniques'
>

export interface TouchedArtifact extends NamedRecord {
  readonly relation: string
}

export interface Reference {
  readonly name: string
  readonly title: string
  readonly kind: string
  readonly link: string | null
}

/** The content of a technique's page. */
export interface Technique extends NamedRecord {
  readonly d3fendId: string | null
  readonly definition: string | null
  readonly article: string | null
  readonly synonyms: readonly string[]
  readonly parents: readonly string[]
  readonly tactics: readonly NamedRecord[]
  readonly artifacts: readonly TouchedArtifact[]
  readonly subtechniques: readonly (NamedRecord & { readonly definition: string | null })[]
  readonly attacks: readonly MetAttack[]
  readonly references: readonly Reference[]
}

/** The class of all techniques, which is none itself. */
const ROOT = 'd3f:DefensiveTechnique'

export function shapeTechnique(name: string, answer: TechniqueAnswer): Technique {
  const node = nodeOf(answer.description, name) ?? answer.description['@graph'][0]
  const rows = answer.digital_artifacts.results.bindings
  const id = node?.['@id'] ?? name
  return {
    name: id,
    label: node === undefined ? name : labelOf(node),
    d3fendId: textOf(node, 'd3f:d3fend-id'),
    definition: textOf(node, 'd3f:definition'),
    article: textOf(node, 'd3f:kb-article'),
    synonyms: textsOf(node, 'd3f:synonym'),
    parents: linksOf(node, 'rdfs:subClassOf').filter((parent) => parent.startsWith('d3f:') && parent !== ROOT),
    tactics: distinctBy(rows.map(tacticOf), ({ name }) => name),
    artifacts: distinct(rows.map(artifactOf)),
    subtechniques: answer.subtechniques['@graph']
      .filter((below) => below['@id'] !== id)
      .map((below) => ({
        name: below['@id'],
        label: labelOf(below),
        definition: textOf(below, 'd3f:definition'),
      })),
    attacks: shapeAttacks(answer.def_to_off.results.bindings),
    references: answer.references['@graph'].map((reference) => ({
      name: reference['@id'],
      title: textOf(reference, 'd3f:kb-reference-title') ?? labelOf(reference),
      kind: textOf(reference, 'd3f:reference-type-label') ?? 'Reference',
      link: webAddress(textOf(reference, 'd3f:has-link')),
    })),
  }
}

function tacticOf(row: Row): NamedRecord {
  const name = nameOf(cell(row, 'def_tactic'))
  return { name, label: name.replace('d3f:', '') }
}

function artifactOf(row: Row): TouchedArtifact {
  return {
    name: nameOf(cell(row, 'def_artifact')),
    label: cell(row, 'def_artifact_label'),
    relation: cell(row, 'def_artifact_rel_label'),
  }
}

/** An ontology may say anything of a link: only addresses of the web are followed. */
function webAddress(link: string | null): string | null {
  return link !== null && /^https?:\/\//i.test(link) ? link : null
}
