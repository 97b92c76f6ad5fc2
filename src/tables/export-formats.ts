/** The purpose of an export, which decides what rules it has. */
export const MODES = ['working_copy', 'vendor_submission', 'published_stig', 'published_srg'] as const

export type Mode = (typeof MODES)[number]

interface ExportFormatRow {
  /** The name in paths: `/components/{id}/export/{type}`. */
  readonly type: string
  /** Components of other kinds are left out. */
  readonly kinds: readonly ('stig' | 'srg')[]
  /** The first one is the default. */
  readonly modes: readonly [Mode, ...Mode[]]
  /** Whether only authors may have it, and each export is in the audit trail. */
  readonly forAuthors: boolean
  /** Whether anybody may export several released components in it. */
  readonly forReleased: boolean
  /** The choices that pages offer; none if they offer the format under another name. */
  readonly choices: readonly ExportChoice[]
}

/** An export that pages offer. */
export interface ExportChoice {
  readonly name: string
  readonly query: Readonly<Record<string, string>>
  readonly description: string
  /** The description for an SRG, if that differs. */
  readonly srgDescription?: string
}

const BOTH = { kinds: ['stig', 'srg'], modes: ['working_copy'], forAuthors: false, forReleased: false } as const
const STIGS = { ...BOTH, kinds: ['stig'] } as const
/** The modes of a checklist are those of the XCCDF that it belongs to. */
const PUBLISHED = { ...BOTH, modes: ['published_stig', 'working_copy'] } as const

/** The formats that components are exported in. */
export const EXPORT_FORMATS = [
  {
    ...PUBLISHED,
    type: 'xccdf',
    forReleased: true,
    choices: [
      {
        name: 'XCCDF 1.1.4, as published',
        query: {},
        description:
          'What DISA publishes and scanners read: the rules that are Applicable - Configurable, but those that another one satisfies.',
        srgDescription: 'What DISA publishes and programs read: the requirements that are Applicable.',
      },
      {
        name: 'XCCDF 1.2, as published',
        query: { version: '1.2' },
        description: 'The same for programs that read the newer form, OpenSCAP among them.',
      },
      {
        name: 'XCCDF 1.1.4, working copy',
        query: { mode: 'working_copy' },
        description: 'With every rule, whatever its status.',
      },
    ],
  },
  // Pages offer it as a version of XCCDF.
  { ...PUBLISHED, type: 'xccdf_1_2', choices: [] },
  {
    ...PUBLISHED,
    type: 'ckl',
    choices: [
      {
        name: 'Checklist (CKL)',
        query: {},
        description: 'An empty checklist of the same rules, for STIG Viewer 2 and for STIG Manager.',
      },
    ],
  },
  {
    ...PUBLISHED,
    type: 'cklb',
    choices: [{ name: 'Checklist (CKLB)', query: {}, description: 'The same for STIG Viewer 3.' }],
  },
  {
    ...STIGS,
    type: 'csv',
    forReleased: true,
    choices: [
      {
        name: 'Spreadsheet (CSV)',
        query: {},
        description: 'A working copy of all rules. It can be edited, and come back.',
      },
    ],
  },
  {
    ...STIGS,
    type: 'excel',
    modes: ['working_copy', 'vendor_submission'],
    choices: [{ name: 'Spreadsheet (Excel)', query: {}, description: 'The same as a workbook.' }],
  },
  {
    ...STIGS,
    type: 'disa_excel',
    modes: ['vendor_submission'],
    choices: [
      {
        name: 'Vendor submission (Excel)',
        query: {},
        description:
          'The sheet that vendors send to DISA: its columns, and each status without the fields that it does not have.',
      },
    ],
  },
  {
    ...STIGS,
    type: 'inspec',
    modes: ['working_copy', 'published_stig'],
    forReleased: true,
    choices: [
      {
        name: 'InSpec profile',
        query: {},
        description: 'A control for each rule, with the code that was written for it.',
      },
      {
        name: 'InSpec profile, as published',
        query: { mode: 'published_stig' },
        description: 'Only with the rules that are published: those of the XCCDF.',
      },
    ],
  },
  {
    ...BOTH,
    type: 'json_archive',
    choices: [
      {
        name: 'Archive',
        query: { include_srg: 'true' },
        description: 'Everything, with comments, history of reviews and its SRGs, for another instance.',
      },
    ],
  },
  {
    ...BOTH,
    type: 'disposition_csv',
    forAuthors: true,
    choices: [
      {
        name: 'Disposition of comments (CSV)',
        query: { triage_status: 'all' },
        description: 'Every comment, what was decided about it, and why.',
      },
    ],
  },
] as const satisfies readonly ExportFormatRow[]

export type ExportType = (typeof EXPORT_FORMATS)[number]['type']

/** The names of formats that are for authors. */
export const AUTHOR_FORMATS: readonly string[] = typesOf(EXPORT_FORMATS.filter(({ forAuthors }) => forAuthors))
export const RELEASED_FORMATS: readonly string[] = typesOf(EXPORT_FORMATS.filter(({ forReleased }) => forReleased))

function typesOf(formats: readonly ExportFormatRow[]): readonly string[] {
  return formats.map(({ type }) => type)
}
