import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { addressKey, addressOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { mayReview, offeredReview, reviewTracks } from '#core/review/verification.ts'
import type { ReviewAct, ReviewTrack } from '#core/review/verification.ts'
import { shapeOfMark, whyNotVerified } from '#src/form/review/reviewWords.ts'
import { ReviewMark } from '#src/ui/badges/ReviewBadge.tsx'
import type { ReviewShape } from '#src/ui/badges/ReviewBadge.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './check.module.css'
import { itemAt } from './checkPlaces.ts'
import type { Checking } from './useChecking.ts'

interface FieldCheckProps {
  readonly checking: Checking
  readonly form: FormState
  readonly address: string
}

/** What is checked of one field: in each track its state, who said so, when and how, and what can be done. */
export function FieldCheck({ checking, form, address }: FieldCheckProps) {
  const { t } = useTranslation('review')
  const cell = form.getCell(address)
  if (checking.needs !== null || checking.read.state !== 'ready' || cell === undefined || cell.rows !== null)
    return null
  const why = whyNotVerified(cell, form.masked)
  return (
    <section className={classes.state} aria-label={t('field.state')}>
      {reviewTracks.map((track) => (
        <TrackState key={track} {...{ checking, address, track }} why={why === null ? null : t(`field.${why}`)} />
      ))}
    </section>
  )
}

interface TrackStateProps extends Omit<FieldCheckProps, 'form'> {
  readonly track: ReviewTrack
  /** Why the field cannot be verified, in words; null where it can. */
  readonly why: string | null
}

function TrackState({ checking, address, track, why }: TrackStateProps) {
  const { t } = useTranslation('review')
  const item = checking.read.state === 'ready' ? itemAt(checking.read.value, track, address) : null
  const { state, due } = checking.markAt(track, addressOf(address))
  const isOwn = checking.own.includes(track)
  const rights = { verifies: isOwn && track === 'sdv', manages: isOwn && track === 'dmr' }
  const acts: readonly ReviewAct[] = why === null && mayReview(track, rights) ? offeredReview(state, track, rights) : []
  const isClosed = why !== null && state === null
  const shape = shapeOfMark({ state, due, busy: false }) as Exclude<ReviewShape, 'partial'>
  return (
    <div className={classes.track}>
      <span className={classes.trackName}>{t(`track.${track}`)}</span>
      {isClosed ? (
        <span className={classes.who}>{why}</span>
      ) : (
        <span className={classes.mark}>
          <ReviewMark shape={shape} />
          {t(`mark.${shape}`)}
        </span>
      )}
      {item !== null && item.at !== null && (
        <span className={classes.who}>
          {[item.byName, item.method === null ? null : t(`method.${item.method}`)].filter(Boolean).join(' · ')}{' '}
          <time dateTime={item.at}>{fullTime(item.at)}</time>
        </span>
      )}
      {item !== null && item.note !== null && item.note !== '' && (
        <p className={classes.why}>{`${t('field.note')}${t('field.colon')}${item.note}`}</p>
      )}
      {acts.length > 0 && (
        <span className={classes.trackActs}>
          {acts.map((act, at) => (
            <Button
              key={act}
              size="sm"
              h="var(--zl-control)"
              variant={at === 0 && act === 'verify' ? 'filled' : 'default'}
              onClick={() => checking.begin(act, track, addressKey(addressOf(address)))}
            >
              {t(`act.${act}`)}
            </Button>
          ))}
        </span>
      )}
    </div>
  )
}
