import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import type { TableColumn } from '#src/ui/table/contract.ts'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './trail.module.css'
import type { TrailLine } from './trailLine.ts'

type Column = TableColumn<TrailLine>

/** The columns of a log: when, who, what, where, the value before and after, why. */
export function useTrailColumns(): readonly Column[] {
  const { t, i18n } = useTranslation(['trail', 'status', 'form'])
  return useMemo(
    () => [...actColumns(t), ...valueColumns(t)],
    // Every drawing makes new functions, but what they return changes only with the language.
    // oxlint-disable-next-line react/exhaustive-deps
    [i18n.language],
  )
}

type Texts = TFunction<['trail', 'status', 'form']>

/** When, who, what, where. */
function actColumns(t: Texts): readonly Column[] {
  return [
    {
      key: 'at',
      title: t('table.at'),
      place: 'key',
      width: 9.5,
      text: ({ at }) => fullTime(at),
      sortBy: ({ at }) => at,
      cell: ({ at }) => <time dateTime={at}>{fullTime(at)}</time>,
    },
    {
      key: 'who',
      title: t('columns.who'),
      width: 9,
      text: ({ who, role }) => (role === null ? who : t('by', { name: who, role })),
      sortBy: ({ who }) => who,
    },
    {
      key: 'what',
      title: t('columns.what'),
      width: 9,
      grows: 1,
      text: ({ what }) => what,
      sortBy: ({ what }) => what,
      cell: (line) => (
        <>
          <span className={classes.fits} title={line.what}>
            {line.what}
          </span>
          {line.isAutomatic && <span className={classes.tag}>{t('automatic')}</span>}
          {line.pass === 2 && <span className={classes.tag}>{t('status:pass.2')}</span>}
        </>
      ),
    },
    {
      key: 'where',
      title: t('table.where'),
      width: 13,
      grows: 3,
      text: whereOf,
      sortBy: whereOf,
      cell: (line) => <Where line={line} label={t('goTo', { where: whereOf(line) })} />,
    },
  ]
}

/** The value before and after, why, and when the server received it. */
function valueColumns(t: Texts): readonly Column[] {
  const [empty, waits, local] = [t('form:empty'), t('unsent.waits'), t('status:local')]
  return [
    {
      key: 'change',
      title: t('table.change'),
      width: 11,
      grows: 3,
      text: ({ from, into }) => (from === null && into === null ? null : `${from ?? empty} → ${into ?? empty}`),
      cell: (line) => (
        <Change
          line={line}
          empty={empty}
          words={[t(line.isConflict ? 'stands' : 'from'), t(line.isConflict ? 'wanted' : 'to')]}
          redacted={t('redacted')}
        />
      ),
    },
    {
      key: 'why',
      title: t('why'),
      width: 7,
      grows: 2,
      text: (line) => whyOf(line, waits),
      cell: (line) => <Why words={whyOf(line, waits)} isLacking={line.lacksReason} />,
    },
    {
      key: 'received',
      title: t('table.received'),
      width: 9.5,
      place: 'end',
      text: ({ receivedAt }) => (receivedAt === null ? local : fullTime(receivedAt)),
      cell: ({ receivedAt }) =>
        receivedAt === null ? (
          <StatusShape status="local">{local}</StatusShape>
        ) : (
          <time className={classes.quiet} dateTime={receivedAt}>
            {fullTime(receivedAt)}
          </time>
        ),
    },
  ]
}

function whereOf({ visit, page, place }: TrailLine): string {
  return [visit, page, place].filter(Boolean).join(' · ')
}

/** Nothing where no reason was needed: where rows are cards, an empty cell takes no room. */
function Why({ words, isLacking }: { readonly words: string; readonly isLacking: boolean }) {
  if (words === '') return null
  return (
    <span className={classes.fits} data-lacking={isLacking || undefined} title={words}>
      {words}
    </span>
  )
}

function whyOf({ why, whyText, lacksReason, receivedAt }: TrailLine, waits: string): string {
  return lacksReason && receivedAt === null ? waits : [why, whyText].filter(Boolean).join(' · ')
}

function Where({ line, label }: { readonly line: TrailLine; readonly label: string }) {
  const where = whereOf(line)
  if (line.to === null || where === '')
    return (
      <span className={classes.fits} title={where}>
        {where}
      </span>
    )
  return (
    <a className={classes.fits} href={line.to} tabIndex={-1} aria-label={label} title={where}>
      {where}
    </a>
  )
}

interface ChangeProps {
  readonly line: TrailLine
  readonly empty: string
  /** What the two values are called, for a screen reader. */
  readonly words: readonly [from: string, into: string]
  readonly redacted: string
}

/** Both values, wherever the line has a value at all. */
function Change({ line: { from, into, isRedacted }, empty, words, redacted }: ChangeProps) {
  if (isRedacted) return <span className={classes.quiet}>{redacted}</span>
  if (from === null && into === null) return null
  return (
    <span className={classes.change} title={`${from ?? empty} → ${into ?? empty}`}>
      <span className={classes.old}>
        <span className={classes.hidden}>{words[0]}</span>
        {from ?? empty}
      </span>
      <span className={classes.into}>
        <span className={classes.hidden}>{words[1]}</span>
        {into ?? empty}
      </span>
    </span>
  )
}
