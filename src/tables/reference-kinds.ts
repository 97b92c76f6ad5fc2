interface ReferenceKindRow {
  readonly name: string
  readonly publisher: string
  /** The name of the file at its publisher. */
  readonly file: string
  readonly address: string
}

/** Reference data that can be loaded, by kind. */
export const REFERENCE_KINDS = {
  cci_list: {
    name: 'CCI list',
    publisher: 'DISA',
    file: 'U_CCI_List.xml',
    address: 'https://public.cyber.mil/stigs/cci/',
  },
  sp800_53: {
    name: 'NIST SP 800-53',
    publisher: 'NIST',
    file: 'NIST_SP-800-53_rev5_catalog.json',
    address: 'https://github.com/usnistgov/oscal-content',
  },
  attack: {
    name: 'ATT&CK',
    publisher: 'MITRE',
    file: 'enterprise-attack.json',
    address: 'https://github.com/mitre-attack/attack-stix-data',
  },
  cwe: {
    name: 'CWE',
    publisher: 'MITRE',
    file: 'cwec_latest.xml.zip',
    address: 'https://cwe.mitre.org/data/downloads.html',
  },
} as const satisfies Readonly<Record<string, ReferenceKindRow>>

export type ReferenceKind = keyof typeof REFERENCE_KINDS
