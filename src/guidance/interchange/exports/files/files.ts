import type { Document } from '../../../../http/answer/answers.ts'
import { yieldPieces, type Pieces } from '../../../../platform/concurrency/pieces.ts'
import { plain, shortStemOf, stemOf } from './file-names.ts'
import { eachComponent, type ComponentToWrite, type ExportJob } from './job.ts'
import { zipOf, type Member } from './zip.ts'

interface FileFormat {
  readonly mediaType: string
  /** The end of the file name: `-xccdf.xml`. */
  readonly ending: string
  readonly pieces: (exported: ComponentToWrite) => Pieces
}

/** Writes one file for each component. Several files go into a zip. */
export function writeFiles(job: ExportJob, format: FileFormat): Document {
  const [first, ...others] = job.components
  if (others.length === 0)
    return {
      mediaType: format.mediaType,
      fileName: `${stemOf(first)}${format.ending}`,
      body: yieldPieces(piecesOf(job, format)),
    }
  return {
    mediaType: 'application/zip',
    fileName: `${nameOf(job)}${format.ending.replace(/\.\w+$/, '')}.zip`,
    body: zipOf(membersOf(job, format), job.now),
  }
}

/** The name of a file with several components. */
export function nameOf({ groupName, components: [first] }: ExportJob): string {
  return groupName === null ? stemOf(first) : plain(groupName)
}

async function* piecesOf(job: ExportJob, { pieces }: FileFormat): AsyncGenerator<string, void> {
  for await (const exported of eachComponent(job)) yield* pieces(exported)
}

async function* membersOf(job: ExportJob, { ending, pieces }: FileFormat): AsyncGenerator<Member, void> {
  for await (const exported of eachComponent(job)) {
    const name = `${shortStemOf(exported.component)}${ending}`
    yield { name, content: yieldPieces(pieces(exported)) }
  }
}
