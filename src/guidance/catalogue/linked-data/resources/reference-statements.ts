import { iri, text, type Statement } from '../../../../graph/term.ts'
import { rdf } from '../../../../graph/vocabulary.ts'
import type { Reader } from '../../../database/transaction.ts'
import { cciNamed, controlNamed } from '../../reference-data/controls/control-names.ts'
import { findCcisOf, findDocument, findFirstDocument, listVersions } from '../../reference-data/reader.ts'
import type { Iris } from '../graph/iris.ts'
import { projectItem, type StatementWriter } from '../graph/reference/project-reference.ts'
import { skos } from '../graph/terms.ts'

class StatementList implements StatementWriter {
  readonly statements: Statement[] = []

  type(subject: string, type: string): void {
    this.link(subject, rdf.type, type)
  }

  link(subject: string, predicate: string, object: string): void {
    this.statements.push({ subject: iri(subject), predicate: iri(predicate), object: iri(object) })
  }

  text(subject: string, predicate: string, value: string | null): void {
    if (value !== null && value !== '')
      this.statements.push({ subject: iri(subject), predicate: iri(predicate), object: text(value) })
  }
}

/** Finds the statements about a CCI in the newest list; empty if the list does not have it. */
export async function findCciStatements(reader: Reader, iris: Iris, name: string): Promise<readonly Statement[]> {
  const id = cciNamed(name)
  const [source] = await listVersions(reader, 'cci_list')
  const document = id === null || source === undefined ? null : await findDocument(reader, source, id)
  const list = new StatementList()
  if (document !== null && source !== undefined) projectItem(list, iris, source, document)
  return list.statements
}

/** Finds the statements about an item of ATT&CK or CWE in the newest version that has it; empty if none has. */
export async function findItemStatements(
  reader: Reader,
  iris: Iris,
  { kind, id }: { readonly kind: 'attack' | 'cwe'; readonly id: string },
): Promise<readonly Statement[]> {
  const list = new StatementList()
  const found = await findFirstDocument(reader, await listVersions(reader, kind), id)
  if (found !== null) projectItem(list, iris, found.source, found.document)
  return list.statements
}

/**
 * Finds the statements about a control in the newest catalogue that has it, and those of the newest CCI list that refer
 * to it.
 */
export async function findControlStatements(reader: Reader, iris: Iris, name: string): Promise<readonly Statement[]> {
  const id = controlNamed(name)
  const list = new StatementList()
  if (id === null) return []
  const found = await findFirstDocument(reader, await listVersions(reader, 'sp800_53'), id)
  if (found !== null) projectItem(list, iris, found.source, found.document)
  const [ccis] = await listVersions(reader, 'cci_list')
  if (ccis !== undefined)
    for (const cci of await findCcisOf(reader, ccis, id)) list.link(iris.cci(cci.id), skos.broadMatch, iris.control(id))
  return list.statements
}
