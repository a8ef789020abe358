import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DesignColumn } from '#core/design/design.ts'
import { holdsData, isCollected } from '#core/form/definition/page.ts'
import { FieldRow } from '#src/form/FieldRow.tsx'
import type { FormEnvironment } from '#src/form/formContext.ts'
import formClasses from '#src/form/form.module.css'
import type { FieldPlace } from '#src/form/layout/places.ts'
import { rowWords } from '#src/form/rowWords.ts'
import { typeOf } from '#src/screens/design/columns.ts'

import { fieldOf, formOf } from './fieldForm.ts'

/** The words that all fields of a page repeat. */
export type PreviewWords = Pick<FormEnvironment, 'language' | 't' | 'words'>

export function usePreviewWords(language: 'zh' | 'en'): PreviewWords {
  const { i18n } = useTranslation('form')
  return useMemo(() => {
    const t = i18n.getFixedT(language, 'form')
    return { language, t, words: rowWords(t) }
  }, [i18n, language])
}

interface FieldPreviewProps {
  readonly column: DesignColumn
  /** The label, for a field that the form cannot draw. */
  readonly name: string
  /** The table of which the field is a column. */
  readonly table: string | null
  /** Where it stands on a wide page; undefined where the definition itself says so. */
  readonly place: FieldPlace | undefined
  readonly settings: unknown
  readonly words: PreviewWords
}

/** The field as the form draws it. Nothing in it can be reached: a press selects the field. */
export function FieldPreview({ column, name, table, place, settings, words }: FieldPreviewProps) {
  const { t } = useTranslation('design')
  const field = fieldOf(column, settings)
  const environment = useMemo((): FormEnvironment | null => {
    const state = field === null ? null : formOf(field)
    if (state === null) return null
    const id = `canvas-${table ?? ''}-${column.prop}`
    return {
      ...words,
      state,
      mode: 'input',
      id,
      conflictPath: null,
      confirms: null,
      history: null,
      queries: null,
      review: null,
      files: null,
      lookUps: null,
    }
  }, [field, words, table, column.prop])
  const drawn = environment?.state.getCell(column.prop)?.field
  // The form has no row for a field that it does not collect.
  const isDrawn = drawn !== undefined && (!holdsData(drawn) || isCollected(drawn))
  return (
    <div inert aria-hidden="true" className={place === undefined ? undefined : formClasses.columns}>
      {environment === null || !isDrawn ? (
        <div className={formClasses.row} data-place={place}>
          <div className={formClasses.head}>
            <div className={formClasses.label}>{name}</div>
          </div>
          <div className={formClasses.hint}>{t(`types.${typeOf(column)}`)}</div>
        </div>
      ) : (
        // Half of the page is what the field around it has already.
        <FieldRow
          address={column.prop}
          place={place === 'left' || place === 'right' ? 'full' : place}
          environment={environment}
        />
      )}
    </div>
  )
}
