import type { TextCheck } from '../finding.ts'
import { repeatsTitle } from './repeats-title.ts'

/** A discussion that describes a risk has at least one of these words. */
const RISK_WORDS = new RegExp(
  [
    'attack|adversar|assail|hack|intru|malicious|malware|virus|hostile|rogue|threat|exploit|vulnerab|risk',
    'compromis|unauthori[sz]|unauthenticated|unapproved|untrusted|illegitimate|illicit|improper|inappropriate',
    'disclos|expos|leak|reveal|intercept|eavesdrop|sniff|spoof|impersonat|masquerad|hijack|phish|steal|stolen|theft',
    'tamper|corrupt|alter|modif|falsif|forg|destr|damag|harm|degrad|disrupt|impact|fail|loss|lose|lost|denial',
    'abus|misus|circumvent|bypass|evad|escalat|elevat|inject|brute|guess|crack|weak|danger|insecure|unsecure',
    'insufficient|inadequate|unable|impossible|difficult|prevent|protect|safeguard|undetect|unnotic|unknown|hid(?:e|den)',
    'accident|inadvertent|unintended|unnecessary|excessive|obsolete|outdated|unsupported|unpatched|incident|breach|violat',
    'without|flaw|repudiat|cannot|not properly|would allow|anyone|result in|lead to|rely|relies|trust|in the clear|sensitive|blocking|disallow',
    'integrity|confidential|availability|authentic|legitimate|accountab|forensic|investigat|critical|dangerous|undesir|unpredict|sprawl|error',
    'unintention|misconfig|assurance|can be shared|overrid|deceiv|not permitted|prohibit',
    'will not|affect|passersby|onlooker|bystander|harder|takes? longer|no longer authori[sz]|may be (?:executed|run)\\b',
    'problem|confus|mislead|trick|fool|lur|disast|outage|crash|overload|flood|exhaust|interfer|ineffective|useless',
  ].join('|'),
  'i',
)

/** "If … not, …", and discussions of requirements that do not apply. */
const CONSEQUENCE = /\bif\b[^.]{0,120}\bnot\b|\bnot appl(?:y|icable)\b|\bbe (?:changed|modified)\b/i

const missing: TextCheck = ({ isBlank }) =>
  isBlank
    ? [
        {
          code: 'discussion_missing',
          start: 0,
          end: 0,
          suggestion: null,
          message: 'Say what can happen, and how, where the requirement is not met.',
        },
      ]
    : []

const risk: TextCheck = ({ text, isBlank }) =>
  isBlank || RISK_WORDS.test(text) || CONSEQUENCE.test(text)
    ? []
    : [
        {
          code: 'discussion_risk',
          start: 0,
          end: text.length,
          suggestion: null,
          message: 'Nothing here says what can happen, and how, where the requirement is not met.',
        },
      ]

export const DISCUSSION: readonly TextCheck[] = [
  missing,
  risk,
  repeatsTitle(
    'discussion_title',
    /\b(?:must|shall|should|imperative|(?:is|are) (?:to be|required|necessary)|needs? to)\b/i,
  ),
]
