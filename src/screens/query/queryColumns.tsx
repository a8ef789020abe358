import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { daysBetween } from '#core/study/visits/days.ts'
import { today } from '#src/data/shapes/today.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import type { QueryPlaceWords } from '#src/form/queries/queryPlaces.ts'
import { questionWords } from '#src/form/queries/questionWords.ts'
import { QueryBadge } from '#src/ui/badges/QueryBadge.tsx'
import type { TableColumn } from '#src/ui/table/contract.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from './query.module.css'

type Column = TableColumn<QueryView>

/** The columns of the list of queries. @param inWords the place of a query in words */
export function useQueryColumns(inWords: (view: QueryView) => QueryPlaceWords): readonly Column[] {
  const { t } = useTranslation('query')
  const label = usePatientLabel()
  const language = useLanguage()
  return useMemo(
    (): readonly Column[] => [
      {
        key: 'no',
        title: t('columns.no'),
        width: 4,
        place: 'key',
        text: ({ query }) => (query.no === 0 ? t('unsent') : query.no),
        cell: ({ query }) => (query.no === 0 ? t('unsent') : String(query.no)),
        sortBy: ({ query }) => (query.no === 0 ? Number.MAX_SAFE_INTEGER : query.no),
      },
      {
        key: 'subject',
        title: t('columns.subject'),
        width: 6,
        text: subjectOf,
        sortBy: subjectOf,
      },
      {
        key: 'visit',
        title: t('columns.visit'),
        width: 5.5,
        grows: 2,
        from: 'desk',
        text: (view) => inWords(view).visit,
      },
      { key: 'page', title: t('columns.page'), width: 6.5, grows: 2, text: (view) => inWords(view).page },
      {
        key: 'field',
        title: t('columns.field'),
        width: 6,
        grows: 2,
        from: 'touch',
        text: (view) => inWords(view).what,
      },
      {
        key: 'question',
        title: t('columns.question'),
        width: 10,
        grows: 5,
        text: (view) => questionWords(view.query, inWords(view).field, language),
      },
      {
        key: 'state',
        title: t('columns.state'),
        width: 6.5,
        place: 'end',
        text: ({ query }) => t(`state.${query.state}`),
        cell: ({ query }) => <QueryBadge state={query.state} />,
        sortBy: ({ query }) => query.state,
      },
      ...timeColumns(t),
      ...moreColumns(t),
    ],
    // Every drawing makes new functions, but what they return changes only with these.
    // oxlint-disable-next-line react/exhaustive-deps
    [t, inWords, language],
  )

  function subjectOf({ patientNo, patientMark }: QueryView): string {
    return label({ no: patientNo, mark: patientMark })
  }
}

type Words = ReturnType<typeof useTranslation<'query'>>['t']

/** For how long it waits, and until when it should not. */
function timeColumns(t: Words): readonly Column[] {
  return [
    {
      key: 'age',
      title: t('columns.age'),
      width: 4,
      align: 'right',
      from: 'touch',
      text: ageOf,
      sortBy: (view) => ageOf(view) ?? -1,
    },
    {
      key: 'due',
      title: t('columns.due'),
      width: 7,
      from: 'desk',
      text: ({ query }) => query.dueOn,
      cell: ({ query }) => <span className={isOverdue(query) ? classes.overdue : undefined}>{query.dueOn ?? ''}</span>,
      sortBy: ({ query }) => query.dueOn,
    },
  ]
}

/** Columns that a reader asks for, or that only a desk has room for. */
function moreColumns(t: Words): readonly Column[] {
  return [
    {
      key: 'assignee',
      title: t('columns.assignee'),
      width: 6,
      from: 'desk',
      text: ({ query }) => query.assigneeName ?? null,
      sortBy: ({ query }) => query.assigneeName ?? null,
    },
    {
      key: 'by',
      title: t('columns.by'),
      width: 6,
      from: 'desk',
      text: ({ query }) => (query.source === 'system' ? t('source.system') : (query.thread[0]?.byName ?? null)),
    },
    {
      key: 'source',
      title: t('columns.source'),
      width: 6,
      extra: true,
      text: ({ query }) => t(`source.${query.source}`),
    },
    {
      key: 'updated',
      title: t('columns.updated'),
      width: 9.5,
      extra: true,
      text: ({ query }) => fullTime(query.updatedAt),
      sortBy: ({ query }) => query.updatedAt,
    },
  ]
}

/** For how many days the site has it, as long as it is not settled; null before and afterwards. */
export function ageOf({ query: { askedAt, state } }: QueryView): number | null {
  return askedAt === null || (state !== 'open' && state !== 'answered')
    ? null
    : daysBetween(askedAt.slice(0, 10), today())
}

export function isOverdue({ dueOn, state }: QueryView['query']): boolean {
  return dueOn !== null && dueOn < today() && (state === 'open' || state === 'answered')
}
