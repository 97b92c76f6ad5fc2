/**
 * The rules of DISA's Vendor STIG Process Guide about wording, in our own words, by their stable codes, and after them some
 * rules that reviewers would check.
 */
export const GUIDE = {
  title_must: 'A requirement says what "must" be.',
  title_should: 'A requirement says "must", neither "should" nor "shall" nor "will".',
  title_capable: 'A requirement says what must be configured, not what must be possible.',
  title_negative: 'A requirement says what to do, not what not to do.',
  title_sentences: 'A requirement is one sentence.',
  discussion_missing: 'The discussion says what the risk is and how it is attacked.',
  discussion_risk: 'The discussion says what the risk is and how it is attacked.',
  discussion_title: 'The discussion does not repeat the requirement.',
  discussion_not_applicable: 'The discussion is blank where the requirement is not applicable.',
  check_finding: 'A check says when it is a finding: "If …, this is a finding."',
  check_steps: 'A check says what to do: verify, navigate, identify, type, obtain, determine, check, ask.',
  check_word: 'A check gives instructions, without "should", "shall" and "please".',
  check_title: 'A check does not repeat the requirement.',
  fix_steps: 'A fix says what to do: ensure, configure, set, select.',
  fix_numbers: 'The steps of a fix are numbered where there are several.',
  fix_word: 'A fix gives instructions, without "should", "shall" and "please".',
  fix_check: 'A fix changes what the check looks for.',
  check_missing: 'A rule that is configured has a check.',
  fix_missing: 'A rule that is configured has a fix.',
  justification_missing: 'A status other than configurable is justified.',
  artifact_missing: 'What a product inherently meets is shown by an artifact.',
  mitigation_missing: 'What a product does not meet is mitigated.',
  severity_missing: 'The severity is high, medium or low.',
  severity_guidance: 'A severity other than that of the SRG is explained.',
  evidence_kind: 'The artifact is a manual, a test report or a letter of attestation.',
  plain_quotes: 'Texts are plain: quotation marks and apostrophes are straight.',
  plain_characters: 'Texts are plain: there are no special characters.',
  plain_format: 'Texts are plain: there is no formatting.',
  other_rule: 'Each rule is written for its own requirement.',
  cci_unknown: 'A CCI is one of the list that DISA publishes.',
  cci_control: 'A CCI belongs to the control of the requirement.',
} as const

export type GuideCode = keyof typeof GUIDE
