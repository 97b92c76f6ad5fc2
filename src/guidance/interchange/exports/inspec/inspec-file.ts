import type { Document } from '../../../../http/answer/answers.ts'
import { yieldPieces } from '../../../../platform/concurrency/pieces.ts'
import { stemOf } from '../files/file-names.ts'
import { nameOf } from '../files/files.ts'
import { eachComponent, type ExportJob } from '../files/job.ts'
import { zipOf, type Member } from '../files/zip.ts'
import { inspecProfile, slugOf } from './inspec-profile.ts'

/** A zip with the InSpec profile of a component, or with a folder for each of several. */
export function writeProfiles(job: ExportJob): Document {
  const [first, ...others] = job.components
  const name = others.length === 0 ? stemOf(first) : nameOf(job)
  return {
    mediaType: 'application/zip',
    fileName: `${name}-inspec.zip`,
    body: zipOf(membersOf(job), job.now),
  }
}

async function* membersOf(job: ExportJob): AsyncGenerator<Member, void> {
  const several = job.components.length > 1
  for await (const exported of eachComponent(job)) {
    const { id, name } = exported.component
    const folder = several ? `${slugOf(name)}-${id}/` : ''
    for (const { path, text } of inspecProfile(exported, exported.mode))
      yield { name: `${folder}${path}`, content: yieldPieces([text]) }
  }
}
