import type { OscalParameter } from './oscal-schema.ts'

const INSERT = /\{\{\s*insert:\s*param,\s*([^\s}]+)\s*\}\}/g

/** A choice may contain parameters that have choices themselves; real ones have two levels. */
const MAX_DEPTH = 8

/** Fills parameters into texts, as NIST prints them: `[Assignment: organization-defined time period]`. */
export class ParameterTexts {
  readonly #parameters: ReadonlyMap<string, OscalParameter>

  constructor(parameters: Iterable<OscalParameter>) {
    this.#parameters = new Map(Array.from(parameters, (parameter) => [parameter.id, parameter]))
  }

  /** Runs of blanks become one. */
  fill(text: string, depth = 0): string {
    const filled = text.replace(INSERT, (_match, id: string) => this.of(id, depth))
    return filled
      .replace(/[ \t]+/g, ' ')
      .replace(/ (?=[,.;:](?:\s|$))/g, '')
      .trim()
  }

  /** Returns the text of a parameter; its id if it has none. */
  of(id: string, depth = 0): string {
    const parameter = this.#parameters.get(id)
    if (parameter === undefined || depth > MAX_DEPTH) return `[Assignment: ${id}]`
    const { values, select, label } = parameter
    if (values.length > 0) return values.join(', ')
    if (select !== undefined) return this.#selection(select, depth)
    return `[Assignment: ${label === undefined ? id : asOrganizationDefined(label)}]`
  }

  #selection(select: NonNullable<OscalParameter['select']>, depth: number): string {
    const number = select['how-many'] === 'one-or-more' ? ' (one or more)' : ''
    const choices = select.choice.map((choice) => this.fill(choice, depth + 1))
    return `[Selection${number}: ${choices.join('; ')}]`
  }
}

function asOrganizationDefined(label: string): string {
  return /^organization-defined\b/i.test(label) ? label : `organization-defined ${label}`
}
