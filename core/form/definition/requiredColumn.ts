import type { Column } from './column.ts'

/**
 * The keys of a required column: `required`, and the rule with the message that a stock form reads (specification §5).
 */
export function requiredColumn(label: string): Required<Pick<Column, 'required' | 'rules'>> {
  return { required: true, rules: [{ required: true, message: requiredMessage(label), trigger: 'blur' }] }
}

/** `{label} must be filled in`, as specification §5 and stock designers have it. */
export function requiredMessage(label: string): string {
  return `${label}必须填写`
}
