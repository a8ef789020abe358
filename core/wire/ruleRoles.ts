/** What a rule of a field does, in the order in which rules are listed. */
export const RULE_ROLES = ['show', 'require', 'readOnlyWhen', 'calculate', 'check'] as const
export type RuleKind = (typeof RULE_ROLES)[number]
