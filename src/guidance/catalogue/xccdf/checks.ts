import type { Check } from './benchmark.ts'
import { attributeOf, childrenOf, descendantsOf, textOf, type XmlNode } from './node.ts'
import type { ReadWarnings } from './warnings.ts'

/** Every `check` of a Rule in document order, also those within a `complex-check`. */
export function readChecks(rule: XmlNode, ruleId: string, warnings: ReadWarnings): readonly Check[] {
  const elements = descendantsOf(rule, 'check')
  if (elements.length === 0) warnings.add('check_missing', ruleId)
  if (elements.length > 1) warnings.add('several_checks', ruleId)
  if (childrenOf(rule, 'complex-check').length > 0) warnings.add('complex_check', ruleId)
  return elements.map((element) => {
    const check = readCheck(element)
    const references = childrenOf(element, 'check-content-ref').length
    if (references > 0 && check.content === null) warnings.add('check_by_reference', ruleId)
    if (references > 1) warnings.add('several_check_references', ruleId)
    return check
  })
}

function readCheck(element: XmlNode): Check {
  const reference = childrenOf(element, 'check-content-ref')[0]
  return {
    system: attributeOf(element, 'system'),
    contentRefName: reference === undefined ? null : attributeOf(reference, 'name'),
    contentRefHref: reference === undefined ? null : attributeOf(reference, 'href'),
    content: textOf(childrenOf(element, 'check-content')[0], 'Rule check-content'),
  }
}
