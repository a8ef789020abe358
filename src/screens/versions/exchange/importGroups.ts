import type { NotCarried, NotCarriedReason } from '#core/exchange/definition.ts'

/**
 * What an import means for a part of the source: it is lost; it is here in another form; a person has to write it anew
 * here; or nothing of the study depends on it. In this order, what matters most first.
 */
export const IMPORT_FATES = ['lost', 'changed', 'open', 'fine'] as const
export type ImportFate = (typeof IMPORT_FATES)[number]

/** What is not named here is lost. */
const FATES: Partial<Readonly<Record<NotCarriedReason, ImportFate>>> = {
  'duplicate-name': 'changed',
  'name-not-allowed': 'changed',
  'no-form': 'changed',
  'unknown-type': 'changed',
  'markup-removed': 'changed',
  'duplicate-choice': 'changed',
  'nearest-type': 'changed',
  'embedded-field': 'changed',
  'nested-table': 'changed',
  'choice-filter': 'changed',
  'rows-of-source': 'changed',
  'piped-value': 'changed',
  'no-choices': 'open',
  'not-a-constant': 'open',
  'unknown-validation': 'open',
  'expression-syntax': 'open',
  'expression-too-complex': 'open',
  'unknown-field': 'open',
  'field-of-other-event': 'open',
  'smart-variable': 'open',
  'unknown-function': 'open',
  'query-of-source-system': 'open',
  circular: 'open',
  'type-mismatch': 'open',
  'unknown-context': 'open',
  'no-expression': 'open',
  'field-of-table': 'open',
  'rows-of-table': 'open',
  'repeat-count': 'open',
  'path-not-supported': 'open',
  'pattern-not-supported': 'open',
  'no-timing': 'open',
  'list-elsewhere': 'open',
  'not-defined': 'open',
  'text-only': 'fine',
  'layout-only': 'fine',
  'not-used-by-source': 'fine',
  'survey-only': 'fine',
  'unknown-column': 'fine',
  'not-referenced': 'fine',
  'other-version': 'fine',
  'status-of-source-system': 'fine',
  'data-not-taken': 'fine',
  'device-metadata': 'fine',
}

export interface ImportGroup {
  readonly fate: ImportFate
  readonly parts: readonly NotCarried[]
  /** Why, and how often; the most frequent first. */
  readonly reasons: readonly (readonly [why: NotCarriedReason, count: number])[]
}

/** The parts of a source that do not come as they are, by what that means; without groups that are empty. */
export function groupImport(notCarried: readonly NotCarried[]): readonly ImportGroup[] {
  return IMPORT_FATES.flatMap((fate) => {
    const parts = notCarried.filter(({ why }) => (FATES[why] ?? 'lost') === fate)
    if (parts.length === 0) return []
    const counts = new Map<NotCarriedReason, number>()
    for (const { why } of parts) counts.set(why, (counts.get(why) ?? 0) + 1)
    return [{ fate, parts, reasons: [...counts].toSorted(([, a], [, b]) => b - a) }]
  })
}
