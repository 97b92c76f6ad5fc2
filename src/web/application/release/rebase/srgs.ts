interface Srg {
  readonly id: number
  readonly srg_id: string
  readonly title: string
  readonly version: string
  readonly core: boolean
}

interface Group<T> {
  readonly name: string
  readonly members: readonly T[]
}

/**
 * Groups the SRGs that a component can be rebased on: other releases of its SRG, newer ones first, then other SRGs of
 * the same kind. The API lists the releases of an SRG from oldest to newest.
 */
export function groupSrgs<T extends Srg>(
  srgs: readonly T[],
  ownId: number,
): { readonly newer: readonly T[]; readonly all: readonly Group<T>[] } {
  const index = srgs.findIndex(({ id }) => id === ownId)
  const current = srgs[index]
  if (current === undefined) return { newer: [], all: [] }
  const isRelease = (srg: T): boolean => srg.srg_id === current.srg_id
  const newer = srgs
    .slice(index + 1)
    .filter(isRelease)
    .toReversed()
  const older = srgs.slice(0, index).filter(isRelease).toReversed()
  const others = srgs.filter((srg) => !isRelease(srg) && srg.core === current.core)
  const groups = [
    { name: 'Newer releases', members: newer },
    { name: 'Earlier releases', members: older },
    { name: 'Other SRGs', members: others },
  ]
  return { newer, all: groups.filter(({ members }) => members.length > 0) }
}
