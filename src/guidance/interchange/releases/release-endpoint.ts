import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { toast, toastSchema } from '../../../http/toast.ts'
import { componentRole } from '../../authoring/access/component-access.ts'
import type { Parts } from '../../parts/parts.ts'
import { changelogSchema } from './changelog.ts'
import { releaseSrg } from './release.ts'

const released = z.object({
  toast: toastSchema,
  catalog_srg: z.object({
    id: z.int(),
    srg_id: z.string(),
    version: z.string(),
    name: z.string(),
  }),
  changelog: changelogSchema,
})

/** Releases a component that is an SRG into the catalogue. */
export function releaseEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/release',
    operation: 'releaseComponent',
    tag: 'Components',
    summary: 'Release an SRG: its requirements get their final ids, and it is added to the catalogue',
    refusals: ['validation_failed', 'version_taken', 'edit_conflict'],
    access: componentRole(database, 'author'),
    input: z.object({ params: idParams }),
    answer: released,
    handle: async ({ grant }) => {
      const { catalog_srg, changelog } = await releaseSrg(database, grant)
      const message = `${catalog_srg.srg_id} ${catalog_srg.version} is in the catalogue.`
      return { ...toast('Component released.', message), catalog_srg, changelog }
    },
  })
}
