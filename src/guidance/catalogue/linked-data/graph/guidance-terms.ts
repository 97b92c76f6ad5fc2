const CLASSES = [
  'Benchmark',
  'SecurityRequirementsGuide',
  'SecurityTechnicalImplementationGuide',
  'Rule',
  'Requirement',
  'ControlCorrelationIdentifier',
] as const

const PROPERTIES = [
  'cci',
  'check',
  'discussion',
  'fix',
  'groupId',
  'legacyId',
  'position',
  'satisfies',
  'severity',
  'states',
  'status',
  'stigId',
  'weight',
] as const

export type GuidanceTerm = (typeof CLASSES)[number] | (typeof PROPERTIES)[number]

/** The terms of `vocabulary.ttl`, all of them. */
export const GUIDANCE_TERMS: readonly GuidanceTerm[] = [...CLASSES, ...PROPERTIES]
