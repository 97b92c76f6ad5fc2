/**
 * The sections of a rule that can be locked separately (docs/contract.md, Review and locks), with their names in
 * comments.
 */
export const SECTIONS = [
  { name: 'Title', key: 'title' },
  { name: 'Severity', key: 'severity' },
  { name: 'Status', key: 'status' },
  { name: 'Fix', key: 'fixtext' },
  { name: 'Check', key: 'check_content' },
  { name: 'Vulnerability Discussion', key: 'vuln_discussion' },
  { name: 'DISA Metadata', key: 'disa_metadata' },
  { name: 'Vendor Comments', key: 'vendor_comments' },
  { name: 'Artifact Description', key: 'artifact_description' },
  { name: 'XCCDF Metadata', key: 'xccdf_metadata' },
] as const

export type Section = (typeof SECTIONS)[number]['name']
