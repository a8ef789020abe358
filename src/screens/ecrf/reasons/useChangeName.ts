import { useTranslation } from 'react-i18next'
import { addressKey } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { DELETED } from '#core/sync/merge.ts'
import type { ReasonPlace } from '#core/sync/reasons.ts'
import { ROW_STEP } from '#core/sync/rowStep.ts'
import { labelOf, placeName } from '#src/form/words.ts'
import type { Language } from '#src/form/words.ts'

/**
 * The name of a place on an open page that was changed or is in conflict: its field, in a table with the number of the
 * row. For a deletion it names the row or the page.
 */
export function useChangeName(form: FormState): (place: ReasonPlace) => string {
  const { t, i18n } = useTranslation(['reasons', 'conflict'])
  const { t: words } = useTranslation('form')
  const language: Language = i18n.language === 'en' ? 'en' : 'zh'
  return ({ table, rid, code }) => {
    if (table === null || rid === null) {
      if (code === DELETED) return t('conflict:wholePage')
      const cell = form.getCell(code)
      return cell === undefined ? code : labelOf(cell.field, language)
    }
    const of = form.getCell(table)
    const tableName = of === undefined ? table : labelOf(of.field, language)
    const no = (of?.rows?.indexOf(rid) ?? -1) + 1
    const row = no === 0 ? t('reasons:rowGone', { table: tableName }) : t('reasons:rowOf', { table: tableName, no })
    if (code === ROW_STEP || code === DELETED) return row
    const cell = form.getCell(addressKey({ table, rid, code }))
    if (cell !== undefined) return placeName(form, cell, language, words)
    const field = of?.field.children.find((child) => child.code === code)
    return `${row} · ${field === undefined ? code : labelOf(field, language)}`
  }
}
