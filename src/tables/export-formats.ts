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

/** Purposes of exports, in the order of the pages. */
export const EXPORT_PURPOSES = ['publish', 'check', 'edit', 'keep'] as const

export type ExportPurpose = (typeof EXPORT_PURPOSES)[number]

/** An export that pages offer. */
export interface ExportChoice {
  readonly name: string
  readonly purpose: ExportPurpose
  readonly query: Readonly<Record<string, string>>
  readonly description: string
  /** The description for an SRG, if that differs. */
  readonly srgDescription?: string
}

const ANY_WORKING_COPY = {
  kinds: ['stig', 'srg'],
  modes: ['working_copy'],
  forAuthors: false,
  forReleased: false,
} as const
const STIGS = { ...ANY_WORKING_COPY, kinds: ['stig'] } as const
/** The modes of a checklist are those of the XCCDF that it belongs to. */
const ANY_MODE = { ...ANY_WORKING_COPY, modes: ['published_stig', 'working_copy'] } as const

/** The formats that components are exported in. */
export const EXPORT_FORMATS = [
  {
    ...ANY_MODE,
    type: 'xccdf',
    forReleased: true,
    choices: [
      {
        name: 'XCCDF 1.1.4, as published',
        purpose: 'publish',
        query: {},
        description: 'As DISA publishes it: the rules that are Configurable, except those that another one satisfies.',
        srgDescription: 'As DISA publishes it: the requirements that are Applicable.',
      },
      {
        name: 'XCCDF 1.2, as published',
        purpose: 'publish',
        query: { version: '1.2' },
        description: 'The same for OpenSCAP and newer scanners.',
      },
      {
        name: 'XCCDF 1.1.4, working copy',
        purpose: 'edit',
        query: { mode: 'working_copy' },
        description: 'Every rule, whatever its status.',
      },
    ],
  },
  // Pages offer it as a version of XCCDF.
  { ...ANY_MODE, type: 'xccdf_1_2', choices: [] },
  {
    ...ANY_MODE,
    type: 'ckl',
    choices: [
      {
        name: 'Checklist (CKL)',
        purpose: 'check',
        query: {},
        description: 'Empty, for STIG Viewer 2 and STIG Manager.',
      },
    ],
  },
  {
    ...ANY_MODE,
    type: 'cklb',
    choices: [{ name: 'Checklist (CKLB)', purpose: 'check', query: {}, description: 'Empty, for STIG Viewer 3.' }],
  },
  {
    ...STIGS,
    type: 'csv',
    forReleased: true,
    choices: [
      {
        name: 'Spreadsheet (CSV)',
        purpose: 'edit',
        query: {},
        description: 'All rules as text: edit it, then import it.',
      },
    ],
  },
  {
    ...STIGS,
    type: 'excel',
    modes: ['working_copy', 'vendor_submission'],
    choices: [
      { name: 'Spreadsheet (Excel)', purpose: 'edit', query: {}, description: 'All rules: edit it, then import it.' },
    ],
  },
  {
    ...STIGS,
    type: 'disa_excel',
    modes: ['vendor_submission'],
    choices: [
      {
        name: 'Vendor submission (Excel)',
        purpose: 'keep',
        query: {},
        description: 'The sheet vendors send to DISA.',
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
        purpose: 'check',
        query: {},
        description: 'One control for each rule.',
      },
      {
        name: 'InSpec profile, as published',
        purpose: 'publish',
        query: { mode: 'published_stig' },
        description: 'One control for each published rule.',
      },
    ],
  },
  {
    ...STIGS,
    type: 'oscal',
    modes: ['published_stig', 'working_copy'],
    forReleased: true,
    choices: [
      {
        name: 'OSCAL component definition',
        purpose: 'publish',
        query: {},
        description: 'The published rules by the controls of NIST SP 800-53 that they implement.',
      },
    ],
  },
  {
    ...ANY_WORKING_COPY,
    type: 'json_archive',
    choices: [
      {
        name: 'Archive',
        purpose: 'keep',
        query: { include_srg: 'true' },
        description: 'Everything, with comments, reviews and SRGs, for another instance.',
      },
    ],
  },
  {
    ...ANY_WORKING_COPY,
    type: 'disposition_csv',
    forAuthors: true,
    choices: [
      {
        name: 'Disposition of comments (CSV)',
        purpose: 'keep',
        query: { triage_status: 'all' },
        description: 'Every comment, its decision and response.',
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
