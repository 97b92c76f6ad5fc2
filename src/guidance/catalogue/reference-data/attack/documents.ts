import type { z } from 'zod'
import { findAttackGuidance, type AttackSources } from '../../linked-data/attacks/attack-guidance.ts'
import type { ReferenceSource } from '../reader.ts'
import { shapeSource } from '../schemas.ts'
import { requireItem } from './find.ts'
import { attributionOf, type attackAnswer, type techniquesAnswer } from './schemas.ts'
import type { TechniqueLists } from './technique-lists.ts'

/** All techniques of some versions of ATT&CK. */
export async function readAttackList(
  lists: TechniqueLists,
  sources: readonly ReferenceSource[],
): Promise<z.infer<typeof techniquesAnswer>> {
  const techniques = []
  for (const source of sources) techniques.push(...(await lists.of(source)))
  return { sources: sources.map(shapeSource), attribution: attributionOf(sources), techniques }
}

/** Reads a technique, tactic or mitigation from the first version that has it. Refuses `not_found` if none has. */
export async function readAttackItem(
  parts: AttackSources,
  sources: readonly ReferenceSource[],
  name: string,
): Promise<z.infer<typeof attackAnswer>> {
  const { item, source } = await requireItem(parts.reader, sources, name)
  const origin = { source: shapeSource(source), attribution: attributionOf([source]) }
  if (item.type !== 'technique') return { ...item, ...origin }
  return { ...item, ...origin, guidance: await findAttackGuidance(parts, item.attack_id) }
}
