/** What a rule must be, and why a text is no rule. */

/** CEL type of a field in rules. */
export type CelType = 'double' | 'string' | 'list<string>' | 'list<double>' | 'list<dyn>'

/** What a rule must give. `value` is for calculations: the engine converts the result for its field. */
export type RuleExpectation = 'bool' | 'number' | 'text' | 'value'

/** Why a text is not a rule. `start` and `end` are offsets into it. */
export type RuleProblem =
  | { readonly kind: 'too-long' }
  | { readonly kind: 'syntax'; readonly start: number; readonly end: number; readonly detail: string }
  | { readonly kind: 'unknown-field'; readonly code: string; readonly start: number; readonly end: number }
  | { readonly kind: 'type'; readonly start: number; readonly end: number; readonly detail: string }
  | { readonly kind: 'wrong-result'; readonly expected: RuleExpectation; readonly found: string }
  | { readonly kind: 'not-allowed'; readonly name: string; readonly start: number; readonly end: number }
