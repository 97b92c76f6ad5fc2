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
        .flatMap((artifact) =>
          label(release, EVENT_TO_DA, { ...participant, event: iri(event), artifact: iri(artifact) }),
        ),
    )
  return results(EVENT_TO_DA, distinct(rows))
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
        .flatMap((event) =>
          label(release, DA_TO_EVENTS, {
            ...participant,
            event: iri(event),
            artifact: iri(artifact),
            artifact_parent: participant.artifact,
          }),
        ),
    )
  return results(DA_TO_EVENTS, distinct(rows))
}

/** A row with the labels of its event and artifacts; none where one has no label. */
function label(release: Release, columns: readonly string[], row: ResultRow): readonly ResultRow[] {
  const named = ['event', 'artifact', 'artifact_parent'].filter((column) => row[column] !== undefined)
  return named.reduce<readonly ResultRow[]>(
    (rows, column) =>
      rows.flatMap((one) =>
        release.summaries
          .labels(one[column]?.value ?? '')
          .map((text) => joinRow(columns, one, { [`${column}_label`]: text })),
      ),
    [row],
  )
}
