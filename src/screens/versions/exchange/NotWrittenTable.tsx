import { useTranslation } from 'react-i18next'
import type { NotWritten } from '#core/exchange/notWritten.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'

import classes from './import.module.css'

/** Parts that have words of their own; any other part of a column is named by its key. */
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

/** The parts of a version that the written file does not contain, line by line, each with its text. */
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
        { key: 'what', title: t('export.columns.what'), cell: ({ what }) => nameOf(what), short: true },
        {
          key: 'text',
          title: t('export.columns.text'),
          cell: ({ text }) => <span className={classes.source}>{text}</span>,
        },
      ]}
    />
  )
}
