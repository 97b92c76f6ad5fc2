import type { Fix } from './benchmark.ts'
import { attributeOf, childrenOf, textOf, type XmlNode } from './node.ts'
import type { ReadWarnings } from './warnings.ts'

/**
 * Each `fixtext` of a Rule with the `fix` that it refers to, then the other `fix` elements. The text is that of the
 * fixtext: DISA leaves the fix empty, others write a script in it.
 */
export function readFixes(rule: XmlNode, ruleId: string, warnings: ReadWarnings): readonly Fix[] {
  const elements = childrenOf(rule, 'fix')
  const ids = new Set(elements.map((element) => attributeOf(element, 'id')))
  const fixes = childrenOf(rule, 'fixtext').map((element) => readFixtext(element, ids))
  const referred = new Set(fixes.map(({ fixId }) => fixId))
  const alone = elements.map(readFix).filter(({ fixId }) => fixId === null || !referred.has(fixId))
  if (fixes.length > 1) warnings.add('several_fixtexts', ruleId)
  if (fixes.length === 0 && alone.length === 0) warnings.add('fix_missing', ruleId)
  if (fixes.some(({ fixref, fixId }) => fixref !== null && fixId === null)) {
    warnings.add('fixref_unknown', ruleId)
  }
  return [...fixes, ...alone]
}

function readFixtext(element: XmlNode, ids: ReadonlySet<string | null>): Fix {
  const fixref = attributeOf(element, 'fixref')
  return { fixref, fixId: fixref !== null && ids.has(fixref) ? fixref : null, text: textOf(element, 'Rule fixtext') }
}

function readFix(element: XmlNode): Fix {
  return { fixref: null, fixId: attributeOf(element, 'id'), text: textOf(element, 'Rule fix') }
}
