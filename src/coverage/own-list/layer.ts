import { z } from 'zod'
import { domainNamed } from './domains.ts'
import { type ListItem, type ReadList, refuseEntry } from './list-item.ts'

const DEFENSIVE = 'd3fend'

const layer = z.object({ domain: z.string(), techniques: z.array(z.unknown()) })

const entry = z.object({
  techniqueID: z.string(),
  enabled: z.boolean().optional().catch(undefined),
  score: z.number().optional().catch(undefined),
  color: z.string().optional().catch(undefined),
  comment: z.string().optional().catch(undefined),
  showSubtechniques: z.boolean().optional().catch(undefined),
})

/** Whether JSON is a layer of ATT&CK Navigator. */
export function isLayer(content: object): boolean {
  if (!('techniques' in content) || !Array.isArray(content.techniques)) return false
  if ('versions' in content || 'domain' in content) return true
  const first: unknown = content.techniques[0]
  return typeof first === 'object' && first !== null && 'techniqueID' in first
}

/**
 * Reads a layer of MITRE ATT&CK Navigator, or a layer of defensive techniques in the same format. Entries that are
 * disabled, scored 0, or only say that their sub-techniques are shown are left out.
 */
export function readLayer(content: unknown, place: string): ReadList {
  const { data } = layer.safeParse(content)
  if (data === undefined)
    throw refuseEntry(`${place}domain`, 'A layer has "domain", such as enterprise-attack, and a list "techniques".')
  const domain = domainNamed(data.domain)
  const isDefensive = data.domain.trim().toLowerCase() === DEFENSIVE
  if (domain === null && !isDefensive)
    throw refuseEntry(
      `${place}domain`,
      `"${data.domain.slice(0, 100)}" is not known. Use enterprise-attack, mobile-attack, ics-attack, atlas, sparta or ` +
        `${DEFENSIVE}.`,
    )
  const kind = isDefensive ? ('technique' as const) : ('attack' as const)
  const items: ListItem[] = []
  for (const [index, raw] of data.techniques.entries()) {
    const parsed = entry.safeParse(raw)
    const location = `${place}techniques[${index}]`
    if (!parsed.success) throw refuseEntry(location, 'An entry of a layer has "techniqueID", a text.')
    if (isMarked(parsed.data)) items.push({ value: parsed.data.techniqueID, place: location, kind, domain })
  }
  return { items, leftOut: data.techniques.length - items.length }
}

function isMarked({ enabled, score, color, comment, showSubtechniques }: z.output<typeof entry>): boolean {
  if (enabled === false || score === 0) return false
  const isPlain = score === undefined && (color ?? '') === '' && (comment ?? '') === ''
  // The Navigator also writes entries that only say that their sub-techniques are shown.
  return !(isPlain && showSubtechniques === true)
}
