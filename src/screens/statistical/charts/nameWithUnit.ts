import type { VariableFacts } from '#core/analysis/described.ts'

/** A variable's name, with its unit where it has one. */
export function nameWithUnit({ label, unit }: Pick<VariableFacts, 'label' | 'unit'>): string {
  return unit === null || unit === '' ? label : `${label} (${unit})`
}
