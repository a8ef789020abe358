import { useCallback, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Cell } from '#core/form/engine/cell.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { isDone, reviewTracks, rollUpOf } from '#core/review/verification.ts'
import { ReviewMark } from '#src/ui/badges/ReviewBadge.tsx'
import type { ReviewShape } from '#src/ui/badges/ReviewBadge.tsx'

import formClasses from '../form.module.css'
import { hasRows } from '../missing/blank.ts'
import classes from './review.module.css'
import type { ReviewPort, TrackMark } from './reviewMarks.ts'
import { rowKey } from './reviewMarks.ts'
import { countsOfRow, shapeOfCounts, shapeOfMark, whyNotVerified } from './reviewWords.ts'

interface FieldChecksProps {
  readonly cell: Cell
  readonly label: string
  readonly review: ReviewPort
  /** Whether the form's data came masked for this reader. */
  readonly masked: boolean
}

/** The marks of a field in both tracks: one's own is a button, the other only shows. */
export function FieldChecks({ cell, label, review, masked }: FieldChecksProps) {
  const { t } = useTranslation('review')
  const { key } = cell
  const marks = useSyncExternalStore(
    useCallback((changed: () => void) => review.subscribe(key, changed), [review, key]),
    () => review.at(key),
  )
  // Of a table, its rows are checked.
  if (hasRows(cell)) return null
  const why = whyNotVerified(cell, masked)
  return (
    <span className={formClasses.checks}>
      {reviewTracks.map((track) => {
        if (marks === null) return <span key={track} className={classes.check} />
        const mark = marks[track]
        const isOwn = review.own.includes(track)
        // What was marked before it was emptied still shows its mark.
        const closed = why !== null && mark.state === null ? why : null
        const state = closed === null ? markWords(mark) : t(`field.${closed}`)
        const does = !isOwn || why !== null ? null : t(isDone(mark.state) ? 'field.takeBack' : 'field.verify')
        return (
          <Check
            key={track}
            name={t('field.name', { label, track: t(`track.${track}`), state })}
            tip={[t(`track.${track}`), state, does].filter(Boolean).join(' · ')}
            shape={closed === null ? shapeOfMark(mark) : null}
            busy={mark.busy}
            at={key}
            track={track}
            press={isOwn ? (why === null ? review.press : NOTHING) : null}
          />
        )
      })}
    </span>
  )

  function markWords(mark: TrackMark): string {
    const word = t(`mark.${shapeOfMark(mark) as Exclude<ReviewShape, 'partial'>}`)
    return mark.busy ? `${word} · ${t('mark.busy')}` : word
  }
}

interface RowChecksProps {
  readonly table: string
  readonly rid: string
  /** Its place among the rows, from 1. */
  readonly no: number
  /** The name of the table. */
  readonly label: string
  readonly cells: readonly Cell[]
  readonly review: ReviewPort
  readonly masked: boolean
}

/** How far a row of a table is checked in both tracks. Its line shows all of its values, so it is verified in one. */
export function RowChecks({ table, rid, no, label, cells, review, masked }: RowChecksProps) {
  const { t } = useTranslation('review')
  const checked = cells.filter((cell) => cell.visible && whyNotVerified(cell, masked) === null)
  useSyncExternalStore(
    useCallback((changed: () => void) => review.subscribe(null, changed), [review]),
    review.version,
  )
  const marks = checked.flatMap(({ key }) => review.at(key) ?? [])
  const isKnown = marks.length === checked.length
  return (
    <span className={classes.row}>
      {reviewTracks.map((track) => {
        if (!isKnown) return <span key={track} className={classes.check} />
        const counts = countsOfRow(marks, track)
        const state =
          checked.length === 0
            ? t('field.empty')
            : [t(`rollUp.${rollUpOf(counts)}`), counts.due > 0 && t('rollUp.figure', { ...counts })]
                .filter(Boolean)
                .join(' ')
        return (
          <Check
            key={track}
            name={t('field.rowName', { label, no, track: t(`track.${track}`), state })}
            tip={[t(`track.${track}`), state].join(' · ')}
            shape={checked.length === 0 ? null : shapeOfCounts(counts)}
            busy={marks.some((one) => one[track].busy)}
            at={rowKey(table, rid)}
            track={track}
            press={!review.own.includes(track) ? null : checked.length === 0 ? NOTHING : review.press}
          />
        )
      })}
    </span>
  )
}

const NOTHING: ReviewPort['press'] = () => undefined

interface CheckProps {
  readonly name: string
  readonly tip: string
  /** Null where there is nothing to check. */
  readonly shape: ReviewShape | null
  readonly busy: boolean
  readonly at: string
  readonly track: ReviewTrack
  /** Null where it only shows. */
  readonly press: ReviewPort['press'] | null
}

/** One mark. What cannot be verified is still a stop for the keyboard: somebody may want to ask about it. */
function Check({ name, tip, shape, busy, at, track, press }: CheckProps) {
  const drawn = shape === null ? <span className={classes.nothing} aria-hidden="true" /> : <ReviewMark shape={shape} />
  if (press === null)
    return (
      <span className={classes.check} title={tip} data-busy={busy || undefined}>
        {drawn}
        <span className={formClasses.hiddenText}>{tip}</span>
      </span>
    )
  return (
    <button
      type="button"
      className={classes.check}
      title={tip}
      data-check={at}
      data-track={track}
      data-busy={busy || undefined}
      aria-label={name}
      aria-disabled={press === NOTHING || undefined}
      onClick={() => press(at, track)}
    >
      {drawn}
    </button>
  )
}

/** What the two columns of marks are, once for each column of fields. */
export function CheckCaptions({ own }: Pick<ReviewPort, 'own'>) {
  const { t } = useTranslation('review')
  const captions = reviewTracks.map((track) => (
    <span key={track} title={t(`track.${track}`)} data-own={own.includes(track) || undefined}>
      {t(`track.short.${track}`)}
    </span>
  ))
  return (
    <div className={formClasses.captions} aria-hidden="true">
      <div>{captions}</div>
      <div>{captions}</div>
    </div>
  )
}
