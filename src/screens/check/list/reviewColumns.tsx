import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewLine } from '#core/api/calls/review/check.ts'
import type { CenterRow } from '#core/api/sync/rows.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import { Share, percentOf } from '#src/screens/check/Share.tsx'
import { StateMark } from '#src/screens/check/StateMark.tsx'
import type { CheckState } from '#src/screens/check/StateMark.tsx'
import { QueryFlag } from '#src/ui/badges/QueryBadge.tsx'
import type { TableColumn } from '#src/ui/table/contract.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from '../check.module.css'

type Column = TableColumn<ReviewLine>

/** The columns of the list of pages to check. @param centers those that the reader sees */
export function useReviewColumns(centers: readonly CenterRow[]): readonly Column[] {
  const { t } = useTranslation('review')
  const label = usePatientLabel()
  const names = useNames()
  return useMemo((): readonly Column[] => {
    const centerOf = ({ centerId }: ReviewLine) => centers.find(({ id }) => id === centerId)?.centerName ?? null
    // Of a repeat the line does not know the number: it is only told from the first.
    const nameOf = (name: string, repeat: string) => (repeat === FIRST_REPEAT ? name : t('list.repeat', { name }))
    const wordOf = (line: ReviewLine) => (line.ready ? t(`rollUp.${line.rollUp}`) : t('list.state.notReady'))
    return [
      {
        key: 'subject',
        title: t('list.columns.subject'),
        width: 8,
        place: 'key',
        text: (line) => label({ no: line.patientNo, mark: line.patientMark }),
        cell: (line) =>
          [label({ no: line.patientNo, mark: line.patientMark }), line.initials].filter(Boolean).join(' '),
      },
      ...(centers.length > 1
        ? [
            {
              key: 'center',
              title: t('list.columns.center'),
              width: 8,
              grows: 1,
              from: 'touch',
              text: centerOf,
            } as const,
          ]
        : []),
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
        cell: (line) => <StateMark state={stateOf(line)} word={wordOf(line)} />,
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
        width: 6,
        align: 'right',
        from: 'touch',
        text: ({ queries }) => queries,
        cell: ({ queries }) =>
          queries === 0 ? (
            ''
          ) : (
            <span className={classes.queries}>
              <QueryFlag state="open" />
              {queries}
            </span>
          ),
      },
      {
        key: 'submitted',
        title: t('list.columns.submitted'),
        width: 9,
        from: 'desk',
        text: ({ submittedAt }) => (submittedAt === null ? null : fullTime(submittedAt).slice(0, 16)),
      },
    ]
  }, [t, label, names, centers])
}

export function stateOf({ ready, rollUp }: ReviewLine): CheckState {
  return ready ? rollUp : 'notReady'
}
