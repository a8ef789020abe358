import * as z from 'zod/mini'

import type { VersionDifference } from './versionDifference.ts'

/** What a version changed, one line for each kind of change (specification §3). */

/** Longest line, in characters as people count them. */
export const SUMMARY_LENGTH = 100

/**
 * Names of what changed, at most `SUMMARY_LENGTH` characters for each kind, with `…` at the end of what was cut: fields
 * and pages that look different, pages that came, that went, and whose contents changed. Empty texts where nothing
 * changed.
 */
export const changeSummary = z.object({
  field_display: z.string(),
  page_display: z.string(),
  page_insert: z.string(),
  page_delete: z.string(),
  page_update: z.string(),
})
export type ChangeSummary = z.infer<typeof changeSummary>

/** Aspects of a page's place and look; its contents are its fields. */
const SHOWN: ReadonlySet<string> = new Set(['name', 'code', 'order', 'layout', 'repeatable'])

export function summaryOf({ pages }: VersionDifference): ChangeSummary {
  const listNames = (fate: 'added' | 'removed') => pages.filter((page) => page.fate === fate).map(({ name }) => name)
  const changed = pages.filter(({ fate }) => fate === 'changed')
  return {
    field_display: line(
      changed.flatMap(({ name, fields }) =>
        fields.map(({ fate, label, code }) => `${MARKS[fate]}${name}.${label === '' ? code : label}`),
      ),
    ),
    page_display: line(
      changed.filter(({ changes }) => changes.some(({ side }) => SHOWN.has(side))).map(({ name }) => name),
    ),
    page_insert: line(listNames('added')),
    page_delete: line(listNames('removed')),
    page_update: line(
      changed
        .filter(({ fields, changes }) => fields.length > 0 || changes.some(({ side }) => side === 'unreadable'))
        .map(({ name }) => name),
    ),
  }
}

const MARKS = { added: '+', removed: '−', changed: '' } as const

function line(names: readonly string[]): string {
  // By characters, not by UTF-16 units: no character is cut in half.
  const letters = Array.from(names.join('、'))
  return letters.length <= SUMMARY_LENGTH ? letters.join('') : `${letters.slice(0, SUMMARY_LENGTH - 1).join('')}…`
}
