import { describe, expect, it } from 'vitest'
import type { Release } from '../../../../src/ontology/release/release.ts'
import { findCandidates } from '../../../../src/ontology/views/technique/candidates.ts'
import { d3fIri, openFixture, openTurtle } from '../../../support/release.ts'

/** The candidates of a technique as "technique relation artifact", in their order. */
function candidates(release: Release, technique: string): readonly string[] {
  return findCandidates(release, d3fIri(technique)).map(({ subject, artifact_rel: rel, artifact }) =>
    [subject, rel, artifact].map(({ value }) => value.slice(d3fIri('').length)).join(' '),
  )
}

describe('The candidates of a technique', async () => {
  const release = await openFixture('inheritance')

  it('are its own assertions and those of all below it', () => {
    expect(candidates(release, 'LetterWatching')).toContain('LetterWatching analyzes Letter')
    expect(candidates(release, 'FileWatching')).toContain('LetterWatching analyzes Letter')
  })

  it('are inherited if no class at or below it asserts the relation', () => {
    expect(candidates(release, 'LogWatching')).toStrictEqual(['Watching analyzes File', 'Watching filters Traffic'])
  })

  it('hide an inherited relation that it asserts of any artifact', () => {
    expect(candidates(release, 'MailWatching')).toStrictEqual(['MailWatching filters Mail', 'Watching analyzes File'])
  })

  it('hide an inherited relation that one below it asserts', () => {
    expect(candidates(release, 'FileWatching')).toStrictEqual([
      'LetterWatching analyzes Letter',
      'Watching filters Traffic',
    ])
  })

  it('do not hide an inherited assertion by another relation to the same artifacts', () => {
    expect(candidates(release, 'LetterWatching')).toStrictEqual([
      'LetterWatching analyzes Letter',
      'Watching filters Traffic',
    ])
  })

  it('leave out a relation that a class above it asserts of a more general artifact', () => {
    expect(candidates(release, 'Watching')).toStrictEqual([
      'MailWatching filters Mail',
      'Watching analyzes File',
      'Watching filters Traffic',
    ])
  })
})

describe('Of several candidates', async () => {
  const release = await openFixture('generality')

  it('the more general ancestor wins over the nearer one', () => {
    expect(candidates(release, 'DeepDenying')).toStrictEqual(['NameDenying blocks Name'])
  })

  it('the more general ancestor wins over subclasses of the requested technique', () => {
    expect(candidates(release, 'NameDenying')).not.toContain('HostDenying blocks HostName')
  })

  it('none loses to another relation', () => {
    expect(candidates(release, 'WideDenying')).toStrictEqual(['NameDenying blocks Name', 'WideDenying stops HostName'])
  })

  it('an own relation counts before the more general one could be inherited', () => {
    expect(candidates(release, 'HostDenying')).toContain('HostDenying blocks HostName')
    expect(candidates(release, 'HostDenying')).not.toContain('NameDenying blocks Name')
  })

  it('siblings and ancestors with an equal artifact are all kept', () => {
    expect(candidates(release, 'Ending')).toStrictEqual([
      'Ending stops Process',
      'FastEnding stops Process',
      'SlowEnding stops Process',
    ])
  })

  it('a technique that asserts the relation itself inherits nothing from its parent', () => {
    expect(candidates(release, 'FastEnding')).toStrictEqual(['FastEnding stops Process'])
  })
})

describe('No candidate', async () => {
  const release = await openFixture('unlabelled')
  const facts = candidates(release, 'Watching')

  it('is about the root of the artifacts or about something else', () => {
    expect(facts).not.toContain('Watching watches DigitalArtifact')
    expect(facts).not.toContain('Watching watches Wall')
  })

  it('is about an artifact or a relation without a label', () => {
    expect(facts).not.toContain('Watching watches Nameless')
    expect(facts).not.toContain('Watching mumbles Diary')
  })

  it('has a relation of another namespace', () => {
    expect(new Set(facts)).toStrictEqual(new Set(['Watching watches Diary', 'Lurking watches Diary']))
  })
})

describe('A class above the root of techniques', () => {
  it('passes no relation on', async () => {
    const release = await openTurtle(`
      :enables rdfs:label "enables" . :filters rdfs:label "filters" . :Detect rdfs:label "Detect" .
      :Mail rdfs:subClassOf :DigitalArtifact ; rdfs:label "Mail" .
      :Practice rdfs:label "Practice" ; :filters :Mail .
      :DefensiveTechnique rdfs:subClassOf :Practice .
      :Watching rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Watching" ; :enables :Detect .
    `)
    expect(candidates(release, 'Practice')).toStrictEqual(['Practice filters Mail'])
    expect(candidates(release, 'Watching')).toStrictEqual([])
  })
})
