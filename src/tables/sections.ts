/**
 * The sections of a rule that can be locked separately (docs/contract.md, Review and locks): the name that locks have,
 * the key that comments have, and the label on pages.
 */
export const SECTIONS = [
  { name: 'Title', key: 'title', label: 'Requirement' },
  { name: 'Severity', key: 'severity', label: 'Severity' },
  { name: 'Status', key: 'status', label: 'Status' },
  { name: 'Vulnerability Discussion', key: 'vuln_discussion', label: 'Discussion' },
  { name: 'Check', key: 'check_content', label: 'Check' },
  { name: 'Fix', key: 'fixtext', label: 'Fix' },
  { name: 'Vendor Comments', key: 'vendor_comments', label: 'Vendor comments' },
  { name: 'Artifact Description', key: 'artifact_description', label: 'Artifact description' },
  { name: 'DISA Metadata', key: 'disa_metadata', label: 'DISA metadata' },
  { name: 'XCCDF Metadata', key: 'xccdf_metadata', label: 'XCCDF metadata' },
] as const

export type Section = (typeof SECTIONS)[number]['name']
