import { useTranslation } from 'react-i18next'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { valueText } from '#core/form/definition/value.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { DataTable } from '#src/ui/lists/DataTable.tsx'

/** Retired values of a page, below its form: read only, in the words of the version under which they were entered. */
export function RetiredValues({ retired }: { readonly retired: EntryRow['retired'] }) {
  const { t } = useTranslation('ecrf')
  const rows = Object.entries(retired ?? {}).map(([key, value]) => ({ key, ...value }))
  if (rows.length === 0) return null
  const nameOf = ({ key, label, tableLabel }: (typeof rows)[number]) =>
    [tableLabel, label ?? key].filter(Boolean).join(' · ')
  const describeValue = ({ text, value, missing }: (typeof rows)[number]) => {
    const words = text ?? valueText(value)
    return missing === null ? words : [words, missing.m, missing.reason].filter((part) => part !== '').join(' · ')
  }
  return (
    <section className={classes.folder} aria-label={t('retired.title')}>
      <h2 className={classes.folderName}>{t('retired.title')}</h2>
      <p className={classes.beside}>{t('retired.text')}</p>
      <DataTable
        caption={t('retired.title')}
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { key: 'field', title: t('retired.field'), cell: nameOf },
          { key: 'value', title: t('retired.value'), cell: describeValue },
          { key: 'why', title: t('retired.reason'), cell: ({ why }) => t(`retired.why.${why ?? 'removed'}`) },
        ]}
      />
    </section>
  )
}
