import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { GapRow } from '#core/api/calls/review/double.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { fieldsOf } from '#src/form/places/fieldAt.ts'
import { contentWords, labelOf, unitOf } from '#src/form/words.ts'
import { differingParts } from '#src/ui/difference/textParts.ts'
import type { TextPart } from '#src/ui/difference/textParts.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

/** The fields of a page's definition, by place. */
export type FieldsOfPage = ReturnType<typeof fieldsOf>

/** A difference as it stands in its row of the table. */
export interface NamedGap {
  readonly gap: GapRow
  readonly name: string
  /** The field; for a whole row its table; null where no definition has the field. */
  readonly field: Field | null
  /** What each pass says, with what differs marked. */
  readonly first: readonly TextPart[]
  readonly second: readonly TextPart[]
}

/** Puts differences into words. The same function as long as the language stays. */
export function useGapWords(): (gap: GapRow, fieldAt: FieldsOfPage) => NamedGap {
  const { t } = useTranslation('diff')
  const { t: words } = useTranslation('form')
  const language = useLanguage()
  return useMemo(() => {
    const nameOf = (field: Field | null, code: string) => (field === null ? code : labelOf(field, language))
    const wordsOf = ({ kind }: GapRow, field: Field | null, content: ItemContent): string => {
      if (kind !== 'row') return contentWords(field, content, words)
      if (content.value === null) return content.missing === null ? t('noRow') : contentWords(field, content, words)
      // A whole row is written like a table of one row.
      return contentWords(field, { ...content, value: [content.value] }, words)
    }
    return (gap, fieldAt) => {
      const isRow = gap.kind === 'row'
      const table = gap.table === null ? null : fieldAt({ table: null, code: gap.table })
      const own = fieldAt({ table: isRow ? null : gap.table, code: gap.code })
      const field = isRow ? (table ?? own) : own
      const name = [
        gap.table === null ? null : nameOf(table, gap.table),
        gap.rowNo === null ? null : t('row', { no: gap.rowNo }),
        isRow ? t('wholeRow') : nameOf(own, gap.code),
      ]
      const texts = [wordsOf(gap, field, gap.first), wordsOf(gap, field, gap.second)] as const
      const [first, second] = MARKED.has(gap.kind)
        ? differingParts(...texts, field === null ? null : unitOf(field, language))
        : texts.map((text) => [{ text, differs: false }])
      return {
        gap,
        name: name.filter((part) => part !== null).join(' · '),
        field,
        first: first ?? [],
        second: second ?? [],
      }
    }
  }, [t, words, language])
}

/** Where one pass says nothing, or lacks the row, there is nothing to look for in the words. */
const MARKED: ReadonlySet<GapRow['kind']> = new Set(['different', 'format', 'case'])
