import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { isStorable } from '../../../../http/input.ts'
import type { Database } from '../../../database/database.ts'
import type { Reader } from '../../../database/transaction.ts'
import { attackGuidanceEndpoint } from '../../linked-data/attacks/attack-endpoint.ts'
import type { AttackSources } from '../../linked-data/attacks/attack-guidance.ts'
import { COMMON_PARTS } from '../../open/input.ts'
import { readAttackItem, readAttackList } from './documents.ts'
import { requireDomains } from './find.ts'
import { attackAnswer, techniquesAnswer } from './schemas.ts'
import { TechniqueLists } from './technique-lists.ts'

interface AttackParts extends Omit<AttackSources, 'reader'> {
  readonly database: Pick<Database, 'read'>
}

const query = z.object({
  version: z.string().max(200).refine(isStorable, 'cannot be a version').optional().meta({
    description: 'The version of ATT&CK that answers; by default the newest of each domain',
    example: '18.1',
  }),
})

/** The techniques, tactics and mitigations of ATT&CK. */
export function attackEndpoints({ database, links, attacks }: AttackParts): readonly Endpoint[] {
  const sources = { reader: database.read, links, attacks }
  return [listAllTechniques(database.read), attackGuidanceEndpoint(sources), getItem(sources)]
}

function listAllTechniques(reader: Reader): Endpoint {
  const lists = new TechniqueLists(reader)
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/attack/all.json',
    operation: 'listAttackTechniques',
    summary: 'All techniques of ATT&CK, with their tactics and platforms',
    input: z.object({ query }),
    answer: techniquesAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input }) => {
      return readAttackList(lists, await requireDomains(reader, input.query.version))
    },
  })
}

function getItem(parts: AttackSources): Endpoint {
  const { reader } = parts
  const id = z.string().max(100).refine(isStorable).meta({
    description: 'Of a technique, a tactic or a mitigation: T1110.001, TA0006, M1032',
    example: 'T1110',
  })
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/attack/{id}.json',
    operation: 'getAttackItem',
    summary: 'A technique of ATT&CK with all that relates to it, or a tactic or mitigation with its techniques',
    input: z.object({ params: z.object({ id }), query }),
    answer: attackAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input }) => {
      return readAttackItem(parts, await requireDomains(reader, input.query.version), input.params.id)
    },
  })
}
