/** The fields of a new component, as typed. */
export interface ComponentFields {
  name: string
  prefix: string
  title: string
  version: string
  release: string
  description: string
}

export function emptyFields(): ComponentFields {
  return { name: '', prefix: '', title: '', version: '1', release: '1', description: '' }
}

interface ComponentRecord {
  readonly name: string
  readonly prefix: string
  readonly title: string
  readonly description: string | null
  readonly version: number | null
  readonly release: number | null
}

/** Fills in the fields for the next release of a component. */
export function fieldsAfter(component: ComponentRecord): ComponentFields {
  return {
    name: component.name,
    prefix: component.prefix,
    title: component.title,
    version: String(component.version ?? 1),
    release: String((component.release ?? 0) + 1),
    description: component.description ?? '',
  }
}

/** Fills in the fields for a component that is made from a published STIG. */
export function fieldsFromStig({ name, title }: { readonly name: string; readonly title: string }): ComponentFields {
  return { ...emptyFields(), name: name.slice(0, 255), title: title.slice(0, 500) }
}

interface ComponentValues extends Omit<ComponentFields, 'version' | 'release'> {
  readonly version: number | null
  readonly release: number | null
}

/** The fields for the API: numbers as numbers, without empty fields. */
export function valuesOf(fields: ComponentFields): ComponentValues {
  const { version, release } = fields
  return { ...fields, version: numberOf(version), release: numberOf(release) }
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
