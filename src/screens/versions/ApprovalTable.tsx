import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#src/session/api.ts'
import type { CallOf } from '#core/api/table.ts'
import { DataTable } from '#src/ui/DataTable.tsx'

export type Approval = AnswerOf<CallOf<'version.approveList'>>[number]

/** Who tests a version, what they found, and whether they signed for it. */
export function ApprovalTable({ approvals }: { readonly approvals: readonly Approval[] }) {
  const { t } = useTranslation('versions')
  return (
    <DataTable
      caption={t('approve.list')}
      rows={approvals}
      rowKey={({ id }) => id}
      columns={[
        { key: 'name', title: t('approve.columns.name'), short: true, cell: ({ username }) => username },
        { key: 'result', title: t('approve.columns.result'), short: true, cell: ({ result }) => (result === null ? t('approve.waiting') : t(result === 1 ? 'approve.results.pass' : 'approve.results.fail')) },
        { key: 'content', title: t('approve.columns.content'), cell: ({ content }) => content ?? '' },
        { key: 'suggest', title: t('approve.columns.suggest'), cell: ({ suggest }) => suggest ?? '' },
        { key: 'sign', title: t('approve.columns.sign'), short: true, cell: ({ isSign }) => t(isSign ? 'approve.signed' : 'approve.unsigned') },
      ]}
    />
  )
}
