/** A file that a component can be taken out as. */
export interface ExportFormat {
  readonly name: string
  /** Of the API: `/components/{id}/export/{type}`. */
  readonly type: string
  readonly query: Readonly<Record<string, string>>
  readonly says: string
  /** The same of an SRG, where that is something else. */
  readonly saysOfSrg?: string
  readonly kinds: readonly ('stig' | 'srg')[]
  /** Whether only authors may have it. */
  readonly forAuthors: boolean
}

const ALL = { query: {}, kinds: ['stig', 'srg'], forAuthors: false } as const
const STIGS = { ...ALL, kinds: ['stig'] } as const

export const EXPORT_FORMATS: readonly ExportFormat[] = [
  {
    ...ALL,
    name: 'XCCDF 1.1.4, as published',
    type: 'xccdf',
    says: 'What DISA publishes and scanners read: the rules that are Applicable - Configurable, but those that another one satisfies.',
    saysOfSrg: 'What DISA publishes and programs read: the requirements that are Applicable.',
  },
  {
    ...ALL,
    name: 'XCCDF 1.2, as published',
    type: 'xccdf',
    query: { version: '1.2' },
    says: 'The same for programs that read the newer form, OpenSCAP among them.',
  },
  {
    ...ALL,
    name: 'XCCDF 1.1.4, working copy',
    type: 'xccdf',
    query: { mode: 'working_copy' },
    says: 'With every rule, whatever its status.',
  },
  {
    ...ALL,
    name: 'Checklist (CKL)',
    type: 'ckl',
    says: 'An empty checklist of the same rules, for STIG Viewer 2 and for STIG Manager.',
  },
  { ...ALL, name: 'Checklist (CKLB)', type: 'cklb', says: 'The same for STIG Viewer 3.' },
  {
    ...STIGS,
    name: 'Spreadsheet (CSV)',
    type: 'csv',
    says: 'A working copy of all rules. It can be edited, and come back.',
  },
  {
    ...STIGS,
    name: 'Spreadsheet (Excel)',
    type: 'excel',
    says: 'The same as a workbook.',
  },
  {
    ...STIGS,
    name: 'Vendor submission (Excel)',
    type: 'disa_excel',
    says: 'The sheet that vendors send to DISA: its columns, and each status without the fields that it does not have.',
  },
  {
    ...STIGS,
    name: 'InSpec profile',
    type: 'inspec',
    says: 'A control for each rule, with the code that was written for it.',
  },
  {
    ...STIGS,
    name: 'InSpec profile, as published',
    type: 'inspec',
    query: { mode: 'published_stig' },
    says: 'Only with the rules that are published: those of the XCCDF.',
  },
  {
    ...ALL,
    name: 'Archive',
    type: 'json_archive',
    query: { include_srg: 'true' },
    says: 'Everything, with comments, history of reviews and its SRGs, for another instance.',
  },
  {
    ...ALL,
    name: 'Disposition of comments (CSV)',
    type: 'disposition_csv',
    forAuthors: true,
    says: 'Every comment, what was decided about it, and why.',
    query: { triage_status: 'all' },
  },
]

/** What there is for a component, and somebody with a role in it. */
export function formatsFor(kind: 'stig' | 'srg', isAuthor: boolean): readonly ExportFormat[] {
  return EXPORT_FORMATS.filter(({ kinds, forAuthors }) => kinds.includes(kind) && (isAuthor || !forAuthors))
}

/** Where the API has it. */
export function pathOf(component: number, { type, query }: ExportFormat): string {
  const asked = new URLSearchParams(query).toString()
  return `/components/${component}/export/${type}${asked === '' ? '' : `?${asked}`}`
}

/** The name that an answer gives its file. */
export function fileNameOf(disposition: string | null, otherwise: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  const plain = /filename=("[^"]+"|[^;\s"]+)/i.exec(disposition ?? '')?.[1]
  return plain?.replaceAll('"', '') ?? otherwise
}

/** The same with the mode that was asked for, so that two modes of a format are two files. */
export function fileNameIn(mode: string | undefined, name: string): string {
  if (mode === undefined) return name
  return name.replace(/(?=\.[^.]+$)|$/, `-${mode.replaceAll('_', '-')}`)
}
