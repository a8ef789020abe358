import { useTranslation } from 'react-i18next'
import type { English } from '#core/form/inLanguage.ts'
import { DELETED } from '#core/sync/merge.ts'

import { useNames } from './useNames.ts'

/** What needs a person, as far as its place is concerned. */
interface Place {
  readonly patientLabel: string
  readonly pageName: string | null
  readonly pageNameEn?: English
  readonly fieldCode: string | null
  readonly fieldLabel: string | null
  /** Of a place in a table: what it is called, and the row's place among those that are there; null where it is deleted. */
  readonly tableRow: { readonly label: string; readonly no: number | null } | null
}

/** Says where something lies: patient, page, field, in a table with the row, and of a deleted page that all of it is meant. */
export function useAttentionWhere(): (place: Place) => string {
  const { t } = useTranslation(['reasons', 'conflict'])
  const names = useNames()
  return ({ patientLabel, pageName, pageNameEn, fieldCode, fieldLabel, tableRow }) => {
    const deletion = fieldCode === DELETED
    const row = tableRow === null ? null : tableRow.no === null ? t('reasons:rowGone', { table: tableRow.label }) : t('reasons:rowOf', { table: tableRow.label, no: tableRow.no })
    const field = deletion ? (tableRow === null ? t('conflict:wholePage') : null) : fieldLabel
    return [patientLabel, names.page({ pageName, pageNameEn }), row, field].filter(Boolean).join(' · ')
  }
}
