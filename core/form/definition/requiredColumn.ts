import type { Column } from './column.ts'

/**
 * What a column says of itself that must be answered: the key, and the rule with the message that a stock form looks at
 * (specification §5).
 */
export function requiredColumn(label: string): Required<Pick<Column, 'required' | 'rules'>> {
  return { required: true, rules: [{ required: true, message: requiredMessage(label), trigger: 'blur' }] }
}

/** `{label} must be filled in`, as specification §5 and stock designers have it. */
export function requiredMessage(label: string): string {
  return `${label}必须填写`
}
