/** A link from a rule by its CCI to a technique, as the API answers it. */
interface RuleLink {
  readonly cci: string
  /** The control of DISA's CCI list. The ontology links the technique to other controls. */
  readonly cci_control: string | null
  readonly relation: string
}

/** `CCI-000015 (AC-2 (1)) → narrower`: the CCI with the control that it belongs to, and its relation to the technique. */
export function linkText({ cci, cci_control: control, relation }: RuleLink): string {
  const cited = control === null ? cci : `${cci} (${control})`
  return `${cited} → ${relation}`
}
