import { useMemo } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Field } from '#core/form/definition/page.ts'
import type { Language } from '#core/language.ts'
import { isAboutFormer } from '#core/sync/conflict.ts'
import { DELETED } from '#core/sync/merge.ts'
import type { ConflictView } from '#src/data/shapes/types.ts'
import { fieldsOf } from '#src/form/places/fieldAt.ts'
import { labelOf } from '#src/form/words.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

/** What a conflict is about, in words that a person knows. */
export interface Subject {
  /** `deletion`: whether a row or a page is deleted. `value`: the value of a field. */
  readonly kind: 'value' | 'deletion'
  /** Null for a deletion, and where no definition has the field. */
  readonly field: Field | null
  readonly name: string
  /** For a conflict in a table: the other fields of the row. */
  readonly row: readonly Field[]
}

/** A conflict with what it is about. */
export interface NamedConflict {
  readonly view: ConflictView
  readonly subject: Subject
}

/** The conflicts of a page with what they are about; the page's definition is read once for all of them. */
export function useNamedConflicts(views: readonly ConflictView[]): readonly NamedConflict[] {
  const { t } = useTranslation('conflict')
  const language = useLanguage()
  return useMemo(() => {
    const readers = new Map<string | null, ReturnType<typeof fieldsOf>>()
    const readerOf = (option: string | null) => {
      const reader = readers.get(option) ?? fieldsOf(option)
      readers.set(option, reader)
      return reader
    }
    return views.map((view) => ({ view, subject: subjectOf(view, readerOf(view.option), language, t) }))
  }, [views, language, t])
}

function subjectOf(
  { row: conflict, tableRow }: ConflictView,
  fieldAt: ReturnType<typeof fieldsOf>,
  language: Language,
  t: TFunction<'conflict'>,
): Subject {
  const { table, code } = conflict
  const nameOf = (field: Field | null, otherwise: string): string =>
    field === null ? otherwise : labelOf(field, language)
  const outer = table === null ? null : fieldAt({ table: null, code: table })
  const rowName = tableRow === null ? t('thisRow') : tableRow.no === null ? t('rowGone') : t('row', { no: tableRow.no })
  const rowPath = table === null ? [] : [nameOf(outer, table), rowName]
  const row = outer?.children ?? []
  if (code === DELETED) return { kind: 'deletion', field: null, name: rowPath.join(' · ') || t('wholePage'), row }
  const field = fieldAt({ table, code })
  const name = [...rowPath, nameOf(field, code)].join(' · ')
  return {
    kind: 'value',
    field,
    name: isAboutFormer(conflict) ? t('formerField', { field: name }) : name,
    row: row.filter((field) => field.code !== code),
  }
}
