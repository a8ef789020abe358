import type { DataSetFacts } from '#core/api/calls/data/dataset.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'

/** One part of a definition: what it is, and how it is changed. */
export interface SectionProps {
  readonly definition: DataSetDefinition
  readonly facts: DataSetFacts
  readonly put: (change: Partial<DataSetDefinition>) => void
}
