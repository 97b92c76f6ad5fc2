import type { TextCheck } from '../finding.ts'

const KINDS =
  /\b(?:manual|guide|documentation|document|white ?paper|datasheet|data sheet|specification|report|test|letter|attestation|statement|certificat\w*|screenshot|screen shot|log|configuration|output|source code|release notes|http)/i

const kind: TextCheck = ({ text, isBlank }) =>
  isBlank || KINDS.test(text)
    ? []
    : [
        {
          code: 'evidence_kind',
          start: 0,
          end: text.length,
          suggestion: null,
          message: 'Say what shows it: a manual, a test report or a letter of attestation.',
        },
      ]

export const EVIDENCE: readonly TextCheck[] = [kind]
