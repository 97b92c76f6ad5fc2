import { iri } from '../../../graph/term.ts'
import { d3f } from '../../../graph/vocabulary.ts'
import { artifacts, type Release } from '../../release/release.ts'
import { distinct, joinRow, results, type ResultRow, type Results } from '../rows.ts'

const EVENT_TO_DA = ['event', 'event_rel', 'artifact', 'event_label', 'event_rel_label', 'artifact_label'] as const

const DA_TO_EVENTS = [
  'event',
  'event_rel',
  'artifact',
  'artifact_parent',
  'event_label',
  'event_rel_label',
  'artifact_label',
  'artifact_parent_label',
] as const

/** Digital events, the root included, sorted by IRI. */
export function events(release: Release): ReadonlySet<string> {
  return release.hierarchy.down(d3f.DigitalEvent)
}

/** Whether the release states who takes part in an event; releases before 1.0.0 do not. */
export function hasParticipants(release: Release): boolean {
  return release.participantsByEvent.size > 0
}

/** The artifacts that take part in an event, or in one above it, with all artifacts below these. */
export function findParticipants(release: Release, event: string): Results {
  const { hierarchy, participantsByEvent } = release
  const family = artifacts(release)
  const rows = [...hierarchy.up(event)]
    .flatMap((above) => participantsByEvent.get(above) ?? [])
    .flatMap((participant) =>
      [...hierarchy.down(participant.artifact.value)]
        .filter((artifact) => family.has(artifact))
        .map((artifact) => ({ ...participant, event: iri(event), artifact: iri(artifact) })),
    )
  return labelRows(release, rows, { columns: EVENT_TO_DA, labelled: ['event', 'artifact'] })
}

/** The events that an artifact, or one above it, takes part in, with all events below these. */
export function findEvents(release: Release, artifact: string): Results {
  const { hierarchy, eventsByParticipant } = release
  const family = events(release)
  const rows = [...hierarchy.up(artifact)]
    .flatMap((parent) => eventsByParticipant.get(parent) ?? [])
    .flatMap((participant) =>
      [...hierarchy.down(participant.event.value)]
        .filter((event) => family.has(event))
        .map((event) => ({
          ...participant,
          event: iri(event),
          artifact: iri(artifact),
          artifact_parent: participant.artifact,
        })),
    )
  return labelRows(release, rows, { columns: DA_TO_EVENTS, labelled: ['event', 'artifact', 'artifact_parent'] })
}

interface LabelledColumns {
  readonly columns: readonly string[]
  /** The columns whose labels are added. */
  readonly labelled: readonly string[]
}

/** Distinct rows with labels; a row without one of them is left out. */
function labelRows(release: Release, rows: readonly ResultRow[], { columns, labelled }: LabelledColumns): Results {
  let complete = rows
  for (const column of labelled) {
    complete = complete.flatMap((row) =>
      release.summaries.labels(row[column]?.value ?? '').map((label) => ({ ...row, [`${column}_label`]: label })),
    )
  }
  return results(columns, distinct(complete.map((row) => joinRow(columns, row))))
}
