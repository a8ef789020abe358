import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#src/session/api.ts'
import type { CallOf } from '#core/api/table.ts'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { fullTime } from '#src/ui/words/format.ts'

export type Approval = AnswerOf<CallOf<'version.approveList'>>[number]

/** The testers of a version, their judgements, and whether they have signed. */
export function ApprovalTable({ approvals }: { readonly approvals: readonly Approval[] }) {
  const { t } = useTranslation('versions')
  return (
    <DataTable
      caption={t('approve.list')}
      rows={approvals}
      rowKey={({ userId }) => userId}
      columns={[
        {
          key: 'name',
          title: t('approve.columns.name'),
          short: true,
          cell: ({ username, isTester }) => (isTester ? username : t('approve.former', { name: username })),
        },
        { key: 'trial', title: t('approve.columns.trial'), short: true, cell: ({ trial }) => <Tried trial={trial} /> },
        {
          key: 'result',
          title: t('approve.columns.result'),
          short: true,
          cell: ({ result }) =>
            result === null ? t('approve.waiting') : t(result === 1 ? 'approve.results.pass' : 'approve.results.fail'),
        },
        { key: 'content', title: t('approve.columns.content'), cell: ({ content }) => content ?? '' },
        { key: 'suggest', title: t('approve.columns.suggest'), cell: ({ suggest }) => suggest ?? '' },
        {
          key: 'sign',
          title: t('approve.columns.sign'),
          short: true,
          cell: (approval) => <Signature approval={approval} />,
        },
      ]}
    />
  )
}

/** A signature with everything that must be shown with it (21 CFR 11.50): the person, the time, and its meaning. */
function Signature({ approval: { isSign, signedAt, username, result } }: { readonly approval: Approval }) {
  const { t } = useTranslation('versions')
  if (!isSign || signedAt === null) return t('approve.unsigned')
  return (
    <>
      <div>{t('approve.signed')}</div>
      <div>{t('approve.signature', { name: username, time: fullTime(signedAt) })}</div>
      <div>{t(result === 1 ? 'approve.meaning.pass' : 'approve.meaning.fail')}</div>
    </>
  )
}

/** What a tester tried out: the evidence for the signature. */
function Tried({ trial: { pages, tried, submitted, lastAt } }: Pick<Approval, 'trial'>) {
  const { t } = useTranslation('versions')
  if (lastAt === null) return t('trial.none')
  return (
    <>
      <div>{t('trial.tried', { tried, pages, submitted })}</div>
      <div>{t('trial.last', { time: fullTime(lastAt) })}</div>
    </>
  )
}
