import { Button, Kbd, SegmentedControl } from '@mantine/core'
import { IconChevronRight, IconChecks, IconKeyboard, IconPhoto } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryReview } from '#core/api/calls/review/check.ts'
import { reviewMethods } from '#core/review/verification.ts'
import { Note } from '#src/ui/Note.tsx'
import { ReviewRollUp } from '#src/ui/badges/ReviewBadge.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './check.module.css'
import type { Checking } from './useChecking.ts'

interface CheckHeadProps {
  readonly checking: Checking
  /** What else can be done with the page as a whole; shown also while it cannot be checked. */
  readonly lead: ReactNode
  readonly isLooking: boolean
  /** Shows the pictures of the page beside it; null where it has none. */
  readonly onSource: (() => void) | null
  readonly onNextPage: () => void
  readonly onFromStart: () => void
  readonly onHelp: () => void
}

/** How far the page is checked, how it is done, and what can be done with the page as a whole. */
export function CheckHead(props: CheckHeadProps) {
  const { checking, lead, onFromStart } = props
  const { t } = useTranslation('review')
  const errorText = useErrorText()
  const { needs, read, note } = checking
  if (needs !== null)
    return (
      <>
        {lead}
        <Note tone="info" title={needs} live>
          {t('page.offline')}
        </Note>
      </>
    )
  return (
    <section className={classes.head} aria-label={t('page.title')}>
      <div className={classes.line}>
        <Tracks checking={checking} />
        <Method checking={checking} />
        {/* It has its room before it is read, so that it pushes nothing aside when it comes. */}
        <output className={classes.figures}>
          {read.state === 'ready' && <Figures review={read.value} checking={checking} />}
        </output>
        <HeadActs {...props} />
      </div>
      {read.state === 'failed' && (
        <Note tone="error" title={t('page.unread')} live>
          {errorText(read.error)}
        </Note>
      )}
      {checking.own.length === 0 && <Note tone="info">{t('page.stopped')}</Note>}
      {/* It is there before it speaks, so that a screen reader says it. */}
      <output className={classes.said}>
        {note !== null && (
          <Note tone={note.tone}>
            {note.text}
            {note.isEnd === true && (
              <Button size="compact-sm" variant="subtle" onClick={onFromStart}>
                {t('page.fromStart')}
              </Button>
            )}
          </Note>
        )}
      </output>
    </section>
  )
}

/** What can be done with the page as a whole. */
function HeadActs({ checking, lead, isLooking, onSource, onNextPage, onHelp }: CheckHeadProps) {
  const { t } = useTranslation('review')
  const { read, page, verifyPage } = checking
  return (
    <span className={classes.acts}>
      {lead}
      {onSource !== null && (
        <Button
          size="sm"
          h="var(--zl-control)"
          variant="default"
          aria-keyshortcuts="s"
          leftSection={<IconPhoto size={18} aria-hidden="true" />}
          rightSection={<Key>{KEYS.source}</Key>}
          onClick={onSource}
        >
          {t('page.source')}
        </Button>
      )}
      {checking.own.length > 0 && (
        <Button
          size="sm"
          h="var(--zl-control)"
          aria-keyshortcuts="Shift+V"
          disabled={read.state !== 'ready' || !read.value.ready || page.places.length === 0}
          leftSection={<IconChecks size={18} aria-hidden="true" />}
          rightSection={<Key>{KEYS.page}</Key>}
          onClick={verifyPage}
        >
          {page.asked > 0 ? t('page.verifyAllBut', { count: page.asked }) : t('page.verifyAll')}
        </Button>
      )}
      <Button
        size="sm"
        h="var(--zl-control)"
        variant="default"
        aria-keyshortcuts="n"
        loading={isLooking}
        rightSection={
          <>
            <Key>{KEYS.next}</Key>
            <IconChevronRight size={16} aria-hidden="true" />
          </>
        }
        onClick={onNextPage}
      >
        {t('page.next')}
      </Button>
      <Button
        size="sm"
        h="var(--zl-control)"
        px="xs"
        variant="subtle"
        aria-keyshortcuts="?"
        leftSection={<IconKeyboard size={18} aria-hidden="true" />}
        onClick={onHelp}
        className={classes.keysButton ?? ''}
      >
        {t('page.keys')}
      </Button>
    </span>
  )
}

const KEYS = { source: 's', page: 'V', next: 'n' } as const

/** A key beside what it does: for hands at a keyboard, and said by `aria-keyshortcuts`. */
function Key({ children }: { readonly children: string }) {
  return (
    <Kbd size="xs" className={classes.key ?? ''} aria-hidden="true">
      {children}
    </Kbd>
  )
}

/** Who checks in both tracks chooses one for the keys. */
function Tracks({ checking }: Pick<CheckHeadProps, 'checking'>) {
  const { t } = useTranslation('review')
  const { own, track, setTrack } = checking
  if (own.length < 2) return null
  return (
    <SegmentedControl
      size="sm"
      aria-label={t('page.tracks')}
      value={track}
      onChange={(value) => setTrack(own.find((one) => one === value) ?? track)}
      data={own.map((one) => ({ value: one, label: t(`track.short.${one}`) }))}
    />
  )
}

function Figures({ review, checking }: Pick<CheckHeadProps, 'checking'> & { readonly review: EntryReview }) {
  const { t } = useTranslation('review')
  const { track } = checking
  const counts = review[track]
  const word = t(`track.${track}`)
  if (!review.ready) return t('page.notReady')
  if (counts.due === 0) return t('page.nothingDue', { track: word })
  return (
    <>
      <ReviewRollUp counts={counts} compact />
      <strong>{t('page.done', { track: word, done: counts.done, due: counts.due })}</strong>
      {counts.changed > 0 && (
        <span className={classes.changed}>{`· ${t('page.changed', { count: counts.changed })}`}</span>
      )}
    </>
  )
}

/** How the source is seen, which every verification of it says. */
function Method({ checking: { own, track, method, setMethod } }: Pick<CheckHeadProps, 'checking'>) {
  const { t } = useTranslation('review')
  if (track !== 'sdv' || !own.includes(track)) return null
  return (
    <SegmentedControl
      size="sm"
      aria-label={t('method.title')}
      value={method}
      onChange={(value) => setMethod(reviewMethods.find((one) => one === value) ?? method)}
      data={reviewMethods.map((one) => ({ value: one, label: t(`method.${one}`) }))}
    />
  )
}
