import type { LocationQueryRaw, RouteLocationRaw } from 'vue-router'
import { usePickedRelease } from '../client/release.ts'

export interface RecordLinks {
  readonly technique: (name: string) => RouteLocationRaw
  readonly tactic: (name: string) => RouteLocationRaw
  readonly artifact: (name: string) => RouteLocationRaw
  readonly attack: (id: string) => RouteLocationRaw
  readonly weakness: (id: string) => RouteLocationRaw
  readonly subject: (name: string) => RouteLocationRaw
  readonly ofKind: (record: KindOfRecord) => RecordLocation
}

/** A record of any kind, as the API names it. */
export interface KindOfRecord {
  readonly kind: string
  readonly name: string
  readonly id: string | null
}

interface RecordLocation {
  readonly path: string
  readonly query: LocationQueryRaw
}

/** Links to records of the ontology in the picked release. */
export function useRecordLinks(): RecordLinks {
  const picked = usePickedRelease()
  const below =
    (folder: string) =>
    (name: string): RecordLocation => ({
      path: `${folder}${encodeURIComponent(name).replaceAll('%3A', ':')}/`,
      query: picked.value.query,
    })
  const attack = (id: string): RecordLocation => below('/offensive-technique/attack/')(withoutPrefix(id))
  const weakness = (id: string): RecordLocation => below('/weakness/cwe/')(withoutPrefix(id))
  const ofKind = ({ kind, name, id }: KindOfRecord): RecordLocation => {
    if (kind === 'offensive-technique') return attack(id ?? name)
    if (kind === 'weakness') return weakness(id ?? name)
    return below(FOLDERS[kind] ?? '/ontology/describe/')(name)
  }
  return {
    technique: below('/technique/'),
    tactic: below('/tactic/'),
    artifact: below('/dao/artifact/'),
    attack,
    weakness,
    ofKind,
    subject: below('/ontology/describe/'),
  }
}

const FOLDERS: Readonly<Record<string, string>> = {
  technique: '/technique/',
  tactic: '/tactic/',
  artifact: '/dao/artifact/',
}

/** Attacks and weaknesses are at their identifiers, which their names are made of. */
function withoutPrefix(id: string): string {
  return id.replace(/^d3f:/, '')
}
