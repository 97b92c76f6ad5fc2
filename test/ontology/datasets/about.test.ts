import { describe, expect, it } from 'vitest'
import { dcterms, ONTOLOGY_IRI } from '../../../src/graph/vocabulary.ts'
import { readAbout } from '../../../src/ontology/datasets/about.ts'

describe('The metadata of the ontology', () => {
  it('has its own titles, descriptions and licences only', () => {
    const nTriples = [
      `<${ONTOLOGY_IRI}> <${dcterms.title}> "Ours" .`,
      `<${ONTOLOGY_IRI}> <${dcterms.identifier}> "not repeated" .`,
      `<http://x.example/other> <${dcterms.title}> "Theirs" .`,
      `<http://x.example/other> <${dcterms.license}> <${ONTOLOGY_IRI}> .`,
    ]
    const about = readAbout(`${nTriples.join('\n')}\n`)
    expect(about.map(({ object }) => object.value)).toEqual(['Ours'])
  })
})
