import type { AttackDomain } from '../report.ts'
import type { ListedAttack } from './report.ts'

export interface DomainGroup {
  readonly domain: AttackDomain | null
  readonly attacks: readonly ListedAttack[]
  readonly covered: number
  readonly notCovered: number
  readonly notMapped: number
}

/** The attacks of a list by domain, in the order of the ontology's domains; those without one come last. */
export function byDomain(attacks: readonly ListedAttack[], domains: readonly AttackDomain[]): readonly DomainGroup[] {
  const order = [...domains, null]
  return order
    .map((domain) =>
      groupOf(
        domain,
        attacks.filter((attack) => attack.domain === domain),
      ),
    )
    .filter((group) => group.attacks.length > 0)
}

function groupOf(domain: AttackDomain | null, attacks: readonly ListedAttack[]): DomainGroup {
  const count = (state: ListedAttack['status']): number => attacks.filter(({ status }) => status === state).length
  return {
    domain,
    attacks: sorted(attacks),
    covered: count('covered'),
    notCovered: count('not_covered'),
    notMapped: count('not_mapped'),
  }
}

const ORDER: readonly ListedAttack['status'][] = ['not_covered', 'not_mapped', 'covered']

/** Gaps come first, because people can act on them. */
function sorted(attacks: readonly ListedAttack[]): readonly ListedAttack[] {
  const codeOf = ({ attack_id, id }: ListedAttack): string => attack_id ?? id
  return attacks.toSorted(
    (a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || codeOf(a).localeCompare(codeOf(b), 'en'),
  )
}
