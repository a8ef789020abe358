import { useTranslation } from 'react-i18next'
import type { NotWritten } from '#core/exchange/notWritten.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'

import classes from './import.module.css'

/** Parts that have a word of their own; what else a column may say goes by its key. */
const NAMED = [
  'unreadable',
  'otherDefinition',
  'visit',
  'type',
  'show',
  'require',
  'readOnlyWhen',
  'calculate',
  'check',
  'checks',
  'choices',
  'value',
  'labels',
  'unit',
  'unitEn',
  'noteEn',
  'placeholderEn',
  'marksEn',
  'labelEn',
  'pageNameEn',
  'sourceOid',
  'limits',
  'plausible',
  'reference',
  'partial',
  'modes',
  'precision',
  'limit',
  'fileSize',
  'accept',
  'table',
  'identifier',
  'rowKey',
  'unique',
  'encode',
] as const

/** What of a version is not in the file that was written of it, line by line, with its text. */
export function NotWrittenTable({ parts }: { readonly parts: readonly NotWritten[] }) {
  const { t } = useTranslation('versions')
  const nameOf = (what: string) => {
    const named = NAMED.find((one) => one === what)
    return named === undefined ? <code>{what}</code> : t(`export.what.${named}`)
  }
  return (
    <DataTable
      caption={t('export.partsList')}
      rows={parts.map((part, at) => ({ ...part, at }))}
      rowKey={({ at }) => String(at)}
      columns={[
        { key: 'page', title: t('export.columns.page'), cell: ({ page }) => page },
        { key: 'field', title: t('export.columns.field'), cell: ({ field }) => field },
        { key: 'what', title: t('export.columns.what'), cell: ({ what }) => nameOf(what) },
        {
          key: 'text',
          title: t('export.columns.text'),
          cell: ({ text }) => <span className={classes.source}>{text}</span>,
        },
      ]}
    />
  )
}
