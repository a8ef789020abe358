import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewLine } from '#core/api/calls/review/check.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { Share, percentOf } from '#src/screens/check/Share.tsx'
import { StateMark } from '#src/screens/check/StateMark.tsx'
import { QueryFlag } from '#src/ui/badges/QueryBadge.tsx'
import type { TableColumn } from '#src/ui/table/contract.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'
import type { NamesInLanguage } from '#src/ui/words/useNames.ts'

import classes from '../check.module.css'

type Column = TableColumn<ReviewLine>

type Words = ReturnType<typeof useTranslation<'review'>>['t']

/** The columns of the list of pages to check. @param centers those that the reader sees */
export function useReviewColumns(centers: readonly CenterRow[]): readonly Column[] {
  const { t } = useTranslation('review')
  const label = usePatientLabel()
  const names = useNames()
  return useMemo(
    (): readonly Column[] => [
      {
        key: 'subject',
        title: t('list.columns.subject'),
        width: 8,
        place: 'key',
        text: subjectOf,
        cell: (line) => [subjectOf(line), line.initials].filter(Boolean).join(' '),
      },
      ...placeColumns(t, names, centers),
      ...stateColumns(t),
    ],
    // Every drawing makes a new function for labels, but what it returns changes only with these.
    // oxlint-disable-next-line react/exhaustive-deps
    [t, names, centers],
  )

  function subjectOf({ patientNo, patientMark }: ReviewLine): string {
    return label({ no: patientNo, mark: patientMark })
  }
}

/** Where the page is: its center, where there are several, its visit and its name. */
function placeColumns(t: Words, names: NamesInLanguage, centers: readonly CenterRow[]): readonly Column[] {
  // Of a repeat the line does not know the number: it is only told from the first.
  const nameOf = (name: string, repeat: string) => (repeat === FIRST_REPEAT ? name : t('list.repeat', { name }))
  const center: Column = {
    key: 'center',
    title: t('list.columns.center'),
    width: 8,
    grows: 1,
    from: 'touch',
    text: ({ centerId }) => centers.find(({ id }) => id === centerId)?.centerName ?? null,
  }
  return [
    ...(centers.length > 1 ? [center] : []),
    {
      key: 'visit',
      title: t('list.columns.visit'),
      width: 7,
      grows: 1,
      text: (line) => nameOf(names.visit(line), line.folderRepeat),
    },
    {
      key: 'page',
      title: t('list.columns.page'),
      width: 9,
      grows: 2,
      text: (line) => nameOf(names.page(line), line.pageRepeat),
    },
  ]
}

/** How far the page is checked, and what else a reviewer wants to know of it. */
function stateColumns(t: Words): readonly Column[] {
  const wordOf = (line: ReviewLine) => (line.ready ? t(`rollUp.${line.rollUp}`) : t('list.state.notReady'))
  return [
    {
      key: 'share',
      title: t('list.columns.share'),
      width: 9.5,
      from: 'touch',
      // Beside the percentage a spreadsheet does not take it for a day.
      text: (line) => `${line.done}/${line.due} (${percentOf(line)}%)`,
      cell: (line) => <Share of={line} />,
    },
    {
      key: 'state',
      title: t('list.columns.state'),
      width: 8,
      place: 'end',
      text: wordOf,
      cell: (line) => <StateMark state={line.ready ? line.rollUp : 'notReady'} word={wordOf(line)} />,
    },
    {
      key: 'changed',
      title: t('list.columns.changed'),
      width: 6,
      align: 'right',
      extra: true,
      text: ({ changed }) => changed,
    },
    {
      key: 'queries',
      title: t('list.columns.queries'),
      width: 7,
      align: 'right',
      from: 'touch',
      text: ({ queries }) => queries,
      cell: ({ queries }) => (queries === 0 ? '' : <OpenQueries count={queries} />),
    },
    {
      key: 'submitted',
      title: t('list.columns.submitted'),
      width: 9,
      from: 'desk',
      text: ({ submittedAt }) => (submittedAt === null ? null : fullTime(submittedAt).slice(0, 16)),
    },
  ]
}

function OpenQueries({ count }: { readonly count: number }) {
  return (
    <span className={classes.queries}>
      <QueryFlag state="open" />
      {count}
    </span>
  )
}
