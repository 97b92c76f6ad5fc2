interface Srg {
  readonly id: number
  readonly srg_id: string
  readonly title: string
  readonly version: string
  readonly core: boolean
}

interface Group<T> {
  readonly name: string
  readonly of: readonly T[]
}

/**
 * Groups the SRGs that a component can be rebased on: other releases of its SRG, newer ones first, then other SRGs of
 * the same kind. The API lists the releases of an SRG from oldest to newest.
 */
export function groupSrgs<T extends Srg>(
  srgs: readonly T[],
  ownId: number,
): { readonly newer: readonly T[]; readonly all: readonly Group<T>[] } {
  const at = srgs.findIndex(({ id }) => id === ownId)
  const own = srgs[at]
  if (own === undefined) return { newer: [], all: [] }
  const isRelease = (one: T): boolean => one.srg_id === own.srg_id
  const newer = srgs
    .slice(at + 1)
    .filter(isRelease)
    .toReversed()
  const older = srgs.slice(0, at).filter(isRelease).toReversed()
  const others = srgs.filter((one) => !isRelease(one) && one.core === own.core)
  const all = [
    { name: 'Newer releases', of: newer },
    { name: 'Earlier releases', of: older },
    { name: 'Other SRGs', of: others },
  ]
  return { newer, all: all.filter(({ of }) => of.length > 0) }
}
