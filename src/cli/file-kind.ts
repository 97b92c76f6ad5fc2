import { headText } from '../guidance/catalogue/files/encoding.ts'
import { readHead } from '../guidance/catalogue/files/read-head.ts'
import { findRoot } from '../guidance/catalogue/files/xml.ts'
import { sizeOf } from '../platform/files/size-of.ts'
import { withFileName } from './with-file-name.ts'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const RDF_ENDINGS = /\.(?:ttl|nt|nq|trig|owl|rdf|jsonld)(?:\.gz)?$/i

/** Whether a file is RDF, by its ending or its root. Refuses anything that is not a file. */
export async function isOntology(file: string): Promise<boolean> {
  await withFileName(file, () => sizeOf(file))
  if (RDF_ENDINGS.test(file)) return true
  const { head } = await readHead(file)
  const start = Buffer.from(head).toString('latin1').trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return /"@(?:context|graph|id)"/.test(start)
  if (/^(?:@prefix|@base|PREFIX|BASE)\s/i.test(start)) return true
  return start.includes('<') && findRootOf(head)?.uri === RDF
}

function findRootOf(head: Uint8Array): ReturnType<typeof findRoot> {
  try {
    return findRoot(headText(head))
  } catch {
    return null
  }
}
