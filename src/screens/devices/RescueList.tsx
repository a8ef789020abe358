import { useTranslation } from 'react-i18next'
import type { RescueReport } from '#core/api/calls/sync.ts'
import { isErrorCode } from '#core/api/errors.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useCallName } from '#src/ui/words/callName.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './devices.module.css'

type RescuedOperation = RescueReport['operations'][number]

/** The operations of a rescue file, with the result of each. */
export function RescueList({ report: { operations, drafts, exportedAt } }: { readonly report: RescueReport }) {
  const names = useNames()
  const { t } = useTranslation('devices')
  const callName = useCallName()
  const resultText = useResultText()
  return (
    <>
      {operations.length === 0 ? (
        <EmptyState compact title={t('rescue.none')} />
      ) : (
        <>
          <p className={classes.summary}>
            {t('rescue.preview', { count: operations.length })}
            {exportedAt !== null && ` · ${t('rescue.exportedAt', { time: fullTime(exportedAt) })}`}
          </p>
          <DataTable
            caption={t('rescue.title')}
            rows={operations}
            rowKey={({ key }) => key}
            columns={[
              { key: 'at', title: t('rescue.columns.at'), short: true, cell: ({ actedAt }) => fullTime(actedAt) },
              { key: 'author', title: t('rescue.columns.author'), cell: ({ authorName }) => authorName },
              {
                key: 'where',
                title: t('rescue.columns.where'),
                cell: (row) => [row.patientNo, names.page(row)].filter(Boolean).join(' · '),
              },
              {
                key: 'what',
                title: t('rescue.columns.what'),
                cell: ({ call, items }) =>
                  items === 0 ? callName(call) : `${callName(call)} · ${t('rescue.items', { count: items })}`,
              },
              { key: 'result', title: t('rescue.columns.result'), cell: resultText },
            ]}
          />
        </>
      )}
      {drafts.length > 0 && (
        <section>
          <h3 className={classes.heading}>{t('rescue.drafts')}</h3>
          <ul className={classes.drafts}>
            {drafts.map((draft) => (
              <li key={`${draft.authorName} ${draft.patientNo} ${draft.pageName}`}>
                {t('rescue.draft', {
                  name: draft.authorName ?? '',
                  where: [draft.patientNo, names.page(draft)].filter(Boolean).join(' · '),
                  count: draft.steps,
                })}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function useResultText(): (operation: RescuedOperation) => string {
  const { t } = useTranslation('devices')
  const errorText = useErrorText()
  return ({ outcome, error, known }) => {
    if (error !== null) {
      const { code } = error
      // A newer server may report a failure for which this app has no words.
      return error.message ?? errorText({ code: isErrorCode(code) ? code : 'internal' })
    }
    if (known) return outcome === null ? t('rescue.known') : `${t('rescue.known')} · ${t(`rescue.outcome.${outcome}`)}`
    return outcome === null ? t('rescue.new') : t(`rescue.outcome.${outcome}`)
  }
}
