import type { RouteLocationRaw } from 'vue-router'
import { usePickedRelease } from '../client/release.ts'

interface RecordLinks {
  readonly technique: (name: string) => RouteLocationRaw
  readonly tactic: (name: string) => RouteLocationRaw
  readonly artifact: (name: string) => RouteLocationRaw
  readonly attack: (id: string) => RouteLocationRaw
  readonly weakness: (id: string) => RouteLocationRaw
  readonly subject: (name: string) => RouteLocationRaw
}

/** Where the records of the ontology are shown, in the release that is looked at. */
export function useRecordLinks(): RecordLinks {
  const picked = usePickedRelease()
  const below =
    (folder: string) =>
    (name: string): RouteLocationRaw => ({
      path: `${folder}${encodeURIComponent(name).replaceAll('%3A', ':')}/`,
      query: picked.value.query,
    })
  return {
    technique: below('/technique/'),
    tactic: below('/tactic/'),
    artifact: below('/dao/artifact/'),
    attack: (id) => below('/offensive-technique/attack/')(withoutPrefix(id)),
    weakness: (id) => below('/weakness/cwe/')(withoutPrefix(id)),
    subject: below('/ontology/describe/'),
  }
}

/** Attacks and weaknesses are at their identifiers, which their names are made of. */
function withoutPrefix(id: string): string {
  return id.replace(/^d3f:/, '')
}
