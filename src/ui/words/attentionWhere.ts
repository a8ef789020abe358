import { useTranslation } from 'react-i18next'
import type { English, FieldNames } from '#core/form/definition/inLanguage.ts'
import { DELETED } from '#core/sync/merge.ts'

import { useNames } from './useNames.ts'

/** The place of something that needs a person. */
interface AttentionPlace extends FieldNames {
  readonly patientLabel: string
  readonly pageName: string | null
  readonly pageNameEn?: English
  readonly fieldCode: string | null
  /**
   * For a place in a table: the table's name, and the row's number among those that exist; null where the row is
   * deleted.
   */
  readonly tableRow: (FieldNames & { readonly no: number | null }) | null
}

/**
 * Says where something is: patient, page, field, in a table with the row. For a deleted page it says that the whole
 * page is meant.
 */
export function useAttentionWhere(): (place: AttentionPlace) => string {
  const { t } = useTranslation(['reasons', 'conflict'])
  const names = useNames()
  return ({ patientLabel, pageName, pageNameEn, fieldCode, tableRow, ...field }) => {
    const deletion = fieldCode === DELETED
    const table = tableRow === null ? null : names.field(tableRow)
    const row =
      tableRow === null
        ? null
        : tableRow.no === null
          ? t('reasons:rowGone', { table })
          : t('reasons:rowOf', { table, no: tableRow.no })
    const own = deletion ? (tableRow === null ? t('conflict:wholePage') : null) : names.field(field)
    return [patientLabel, names.page({ pageName, pageNameEn }), row, own].filter(Boolean).join(' · ')
  }
}
