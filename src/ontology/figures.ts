import { gauge, type Figure } from '../platform/figures.ts'
import type { OntologyService } from './service.ts'

/** Metrics of the releases, for operators. */
export function ontologyFigures(service: OntologyService): readonly Figure[] {
  return [
    {
      name: 'releases',
      help: 'Releases in the data folder.',
      kind: 'gauge',
      across: 'max',
      read: async () => [{ value: (await service.folder.versions()).length }],
    },
    {
      name: 'release_info',
      help: 'The release that is served as the active one.',
      kind: 'gauge',
      labels: ['version', 'sha256'],
      across: 'max',
      read: () => {
        const { current } = service
        if (current === null) return []
        const { version, sha256 } = current.manifest
        return [{ value: 1, labels: { version, sha256 } }]
      },
    },
    faultOf(service),
    gauge(
      'cached_answers',
      'Answers of the active release that are kept in memory.',
      () => service.current?.cached.answers ?? 0,
    ),
    gauge('cached_bytes', 'Memory used by the cached answers.', () => service.current?.cached.bytes ?? 0),
    {
      name: 'pinned_release_bytes',
      help: 'Memory used by each open release that is not active, as last measured.',
      kind: 'gauge',
      labels: ['version'],
      read: () => Array.from(service.pinnedSizes, ([version, value]) => ({ value, labels: { version } })),
    },
    {
      name: 'engine_answers',
      help: '1 if the SPARQL engine that holds releases answers, 0 if not.',
      kind: 'gauge',
      across: 'min',
      read: () => (service.engine === null ? [] : [{ value: service.engine === 'answers' ? 1 : 0 }]),
    },
  ]
}

function faultOf(service: OntologyService): Figure {
  return {
    name: 'active_release_faulty',
    help: '1 if the active release cannot be served: it is damaged, or none is named.',
    kind: 'gauge',
    across: 'max',
    read: () => [{ value: service.isFaulty ? 1 : 0 }],
  }
}
