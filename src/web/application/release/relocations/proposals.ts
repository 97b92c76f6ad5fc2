interface Proposal {
  readonly id: number
  readonly component_id: number
  readonly target_technology_token: string
  readonly declined_at: string | null
}

interface Proposals<T> {
  /** Proposals of other components to move requirements here, which are decided here. */
  readonly here: readonly T[]
  /** Proposals of this component that wait for a decision elsewhere. */
  readonly away: readonly T[]
  /** Declined proposals of this component, newest first. */
  readonly declined: readonly T[]
}

/** Sorts proposals by their direction as seen from one component. */
export function sortProposals<T extends Proposal>(
  proposals: readonly T[],
  { id, prefix }: { readonly id: number; readonly prefix: string },
): Proposals<T> {
  const token = tokenOf(prefix)
  const ownProposals = proposals.filter(({ component_id }) => component_id === id)
  const isOpen = ({ declined_at }: T): boolean => declined_at === null
  return {
    here: proposals.filter(
      (proposal) => proposal.component_id !== id && proposal.target_technology_token === token && isOpen(proposal),
    ),
    away: ownProposals.filter(isOpen),
    declined: ownProposals.filter((proposal) => !isOpen(proposal)).toReversed(),
  }
}

/** The leading letters of a prefix, by which proposals name the SRG that they are for. */
export function tokenOf(prefix: string): string {
  return (/^[A-Z]+/i.exec(prefix)?.[0] ?? '').toUpperCase()
}
