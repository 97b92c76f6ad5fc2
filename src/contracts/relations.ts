/** Relations of a CCI or a control to a technique, the strongest first. */
export const CCI_RELATIONS = ['exactly', 'narrower', 'broader', 'related'] as const
