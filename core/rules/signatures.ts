/** Functions that rules may call, listed for a person who writes a rule. The screen's texts explain each function. */
export const RULE_FUNCTIONS = [
  { name: 'has', signature: 'has(field) → bool', example: 'has(page.x)' },
  { name: 'round', signature: 'round(number, digits) → number', example: 'round(1.25, 1) == 1.3' },
  { name: 'roundUp', signature: 'roundUp(number, digits) → number', example: 'roundUp(1.21, 1) == 1.3' },
  { name: 'roundDown', signature: 'roundDown(number, digits) → number', example: 'roundDown(1.29, 1) == 1.2' },
  { name: 'abs', signature: 'abs(number) → number', example: 'abs(-2) == 2.0' },
  { name: 'sqrt', signature: 'sqrt(number) → number', example: 'sqrt(4) == 2.0' },
  { name: 'pow', signature: 'pow(base, exponent) → number', example: 'pow(2, 3) == 8.0' },
  { name: 'exp', signature: 'exp(number) → number', example: 'exp(0) == 1.0' },
  { name: 'ln', signature: 'ln(number) → number', example: 'ln(1) == 0.0' },
  { name: 'log10', signature: 'log10(number) → number', example: 'log10(100) == 2.0' },
  { name: 'sum', signature: 'sum([number, …]) → number', example: 'sum([1, 2]) == 3.0' },
  { name: 'mean', signature: 'mean([number, …]) → number', example: 'mean([1, 3]) == 2.0' },
  { name: 'median', signature: 'median([number, …]) → number', example: 'median([1, 3]) == 2.0' },
  { name: 'stdev', signature: 'stdev([number, …]) → number', example: 'stdev([1, 1]) == 0.0' },
  { name: 'min', signature: 'min([number, …]) → number', example: 'min([1, 3]) == 1.0' },
  { name: 'max', signature: 'max([number, …]) → number', example: 'max([1, 3]) == 3.0' },
  { name: 'number', signature: 'number(text) → number', example: 'number("1.5") == 1.5' },
  { name: 'days', signature: 'days(date, date) → number', example: 'days("2026-01-01", "2026-01-03") == 2.0' },
  { name: 'age', signature: 'age(date, date) → number', example: 'age("2000-01-01", "2026-01-03") == 26.0' },
  {
    name: 'datediff',
    signature: 'datediff(date, date, "y"|"M"|"d"|"h"|"m"|"s") → number',
    example: 'datediff("2026-01-01", "2026-01-03", "d") == 2.0',
  },
  { name: 'matches', signature: 'matches(text, pattern) → bool', example: 'matches("A01", "^A[0-9]+$")' },
  { name: 'size', signature: 'size(text | list) → number', example: 'size("abc") == 3' },
] as const satisfies readonly { readonly name: string; readonly signature: string; readonly example: string }[]

export type RuleFunctionName = (typeof RULE_FUNCTIONS)[number]['name']
