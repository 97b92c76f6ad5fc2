import type {
  ControlAssertion,
  ControlAssertions,
  NamedTechnique,
  OntologyRelease,
} from '../../../../contracts/sources.ts'
import { append } from '../../../../platform/append.ts'
import { getOrMake } from '../../../../platform/get-or-make.ts'
import { controlNamed } from '../../reference-data/controls/control-names.ts'
import { isNamed, matchedCci, namedTechniques, NIST_CONTROL } from '../graph/project-controls.ts'

/** One path from a CCI to a technique; IRIs are full. */
export interface ControlPath {
  /** `CCI-000366` */
  readonly cci: string
  readonly control: string
  readonly relation: string
  readonly technique: NamedTechnique
}

export type RelatedTechnique = Pick<ControlPath, 'relation' | 'technique'>

type Statement = Pick<ControlAssertion, 'control' | 'relation' | 'technique'>

/** A statement of a control of NIST SP 800-53. */
interface NistStatement extends Statement {
  readonly label: string
}

/**
 * Links CCIs and controls to techniques of an ontology release. Indexes the statements that `projectControls` writes.
 */
export class ControlLinks implements OntologyRelease {
  readonly version: string
  readonly digest: string
  readonly releaseDate: string
  /** Sorted by IRI. */
  readonly techniques: readonly NamedTechnique[]
  readonly #byCci = new Map<string, ControlPath[]>()
  readonly #byTechnique = new Map<string, ControlPath[]>()
  readonly #nist = new Map<string, NistStatement[]>()
  readonly #byNist = new Map<string, RelatedTechnique[]>()

  constructor({ version, digest, releaseDate, techniques, assertions }: ControlAssertions) {
    this.version = version
    this.digest = digest
    this.releaseDate = releaseDate
    this.techniques = techniques
    const techniquesByIri = new Map(namedTechniques(techniques).map((technique) => [technique.iri, technique]))
    const namedAssertions = assertions.filter(isNamed)
    const statementsByControl = new Map<string, Map<string, Statement>>()
    for (const { control, relation, technique } of namedAssertions) {
      const statements = getOrMake(statementsByControl, control, () => new Map<string, Statement>())
      statements.set(`${relation} ${technique}`, { control, relation, technique })
    }
    const statementsOf = (control: string): Iterable<Statement> => statementsByControl.get(control)?.values() ?? []
    for (const [control, ccis] of valuesByControl(namedAssertions, matchedCci))
      for (const statement of statementsOf(control)) this.#addPaths(statement, { ccis, techniques: techniquesByIri })
    for (const [control, labels] of valuesByControl(namedAssertions, nistLabel))
      for (const statement of statementsOf(control))
        for (const label of labels) this.#addNist({ ...statement, label }, techniquesByIri.get(statement.technique))
  }

  /** The paths that begin at a CCI. */
  from(cci: string): readonly ControlPath[] {
    return this.#byCci.get(cci) ?? []
  }

  /** The paths that end at a technique (IRI). */
  to(technique: string): readonly ControlPath[] {
    return this.#byTechnique.get(technique) ?? []
  }

  /** The techniques that a control of NIST SP 800-53 (`AC-2 (1)`) is related to. */
  ofControl(control: string): readonly RelatedTechnique[] {
    return this.#byNist.get(control) ?? []
  }

  /** Returns the statements of NIST controls about a technique (IRI). */
  nist(technique: string): readonly NistStatement[] {
    return this.#nist.get(technique) ?? []
  }

  #addNist(statement: NistStatement, technique: NamedTechnique | undefined): void {
    const { label, relation } = statement
    append(this.#nist, statement.technique, statement)
    if (technique !== undefined) append(this.#byNist, controlNamed(label) ?? label, { relation, technique })
  }

  #addPaths(
    { control, relation, technique: iri }: Statement,
    { ccis, techniques }: { readonly ccis: Iterable<string>; readonly techniques: ReadonlyMap<string, NamedTechnique> },
  ): void {
    const technique = techniques.get(iri)
    if (technique === undefined) return
    for (const cci of ccis) {
      const path = { cci, control, relation, technique }
      append(this.#byCci, cci, path)
      append(this.#byTechnique, iri, path)
    }
  }
}

/** Collects a value of the assertions by control; controls without one are left out. */
function valuesByControl(
  assertions: readonly ControlAssertion[],
  read: (assertion: ControlAssertion) => string | null,
): ReadonlyMap<string, ReadonlySet<string>> {
  const values = new Map<string, Set<string>>()
  for (const assertion of assertions) {
    const value = read(assertion)
    if (value === null) continue
    getOrMake(values, assertion.control, () => new Set<string>()).add(value)
  }
  return values
}

function nistLabel({ kind, label }: ControlAssertion): string | null {
  return kind === NIST_CONTROL && label !== '' ? label : null
}
