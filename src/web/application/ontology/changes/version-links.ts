import type { RouteLocationRaw } from 'vue-router'
import { useRecordLinks, type KindOfRecord } from '../record-links.ts'

/** Links to records in a named release. */
export function useVersionLinks(): (version: string, record: KindOfRecord) => RouteLocationRaw {
  const links = useRecordLinks()
  return (version, record) => {
    const { path } = links.ofKind(record)
    return { path, query: { release: version } }
  }
}
