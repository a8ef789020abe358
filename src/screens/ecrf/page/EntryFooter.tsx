import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import type { PageLook } from '#core/form/definition/pageLook.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { clockTime } from '#src/ui/words/format.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import type { Autosave, SaveStatus } from './autosave.ts'

interface EntryFooterProps {
  readonly autosave: Autosave
  readonly readOnly: boolean
  /** Changes that stay on this device until somebody gives their reason; the footer asks for it. */
  readonly reasons: { readonly count: number; readonly ask: () => void } | null
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
  readonly onSubmit: () => Promise<void>
  /** Submits and goes to the next page; null on the last. */
  readonly onSubmitAndNext: (() => Promise<void>) | null
  /** The words of the submit button and where it stands; null takes the app's default. */
  readonly look: Pick<PageLook, 'submitText' | 'submitTextEn' | 'menuPosition'>
  /** What a page that was submitted before still needs; null where it needs nothing. */
  readonly needs?: string | null
}

/** Where the values are saved, and the way on: always in reach of the thumb. */
export function EntryFooter({
  autosave,
  readOnly,
  reasons,
  onPrevious,
  onNext,
  onSubmit,
  onSubmitAndNext,
  look,
  needs = null,
}: EntryFooterProps) {
  const { t } = useTranslation('ecrf')
  const status = useSyncExternalStore(autosave.subscribe, autosave.getStatus)
  const words = useSaveWords()
  // A page that was closed to typing still says whether what was typed on it is saved.
  const isQuiet = readOnly && status.state === 'clean'
  return (
    <footer className={classes.footer}>
      <div className={classes.footerLine} data-menu={look.menuPosition ?? undefined}>
        <output className={classes.saved} data-state={isQuiet ? 'clean' : status.state}>
          {isQuiet ? t('page.readOnly') : words(status)}
        </output>
        {status.state === 'failed' && (
          <Button variant="default" h="var(--zl-control)" onClick={() => void autosave.flush()}>
            {t('page.retry')}
          </Button>
        )}
        {reasons !== null && (
          <Button variant="light" h="var(--zl-control)" onClick={reasons.ask}>
            {t('page.giveReasons', { count: reasons.count })}
          </Button>
        )}
        {!readOnly && needs !== null && <output className={classes.needs}>{needs}</output>}
        <Button
          variant="default"
          h="var(--zl-control)"
          px="sm"
          disabled={onPrevious === null}
          leftSection={<IconChevronLeft size={18} aria-hidden="true" />}
          onClick={() => onPrevious?.()}
        >
          <span className={classes.stepWord}>{t('page.previous')}</span>
        </Button>
        {!readOnly && <SubmitButtons onSubmit={onSubmit} onSubmitAndNext={onSubmitAndNext} look={look} />}
        <Button
          variant="default"
          h="var(--zl-control)"
          px="sm"
          disabled={onNext === null}
          rightSection={<IconChevronRight size={18} aria-hidden="true" />}
          onClick={() => onNext?.()}
        >
          <span className={classes.stepWord}>{t('page.next')}</span>
        </Button>
      </div>
    </footer>
  )
}

/** Submits the page, or submits it and goes on: the second is what a person wants who fills in page after page. */
function SubmitButtons({
  onSubmit,
  onSubmitAndNext,
  look,
}: Pick<EntryFooterProps, 'onSubmit' | 'onSubmitAndNext' | 'look'>) {
  const { t } = useTranslation('ecrf')
  const language = useLanguage()
  const [busy, setBusy] = useState(false)
  const word = inLanguage(language, look.submitText, look.submitTextEn) ?? t('page.submit')
  const submit = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        h="var(--zl-control)"
        variant={onSubmitAndNext === null ? 'filled' : 'default'}
        loading={busy}
        onClick={() => void submit(onSubmit)}
      >
        {word}
      </Button>
      {onSubmitAndNext !== null && (
        <Button
          h="var(--zl-control)"
          loading={busy}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => void submit(onSubmitAndNext)}
        >
          {t('page.submitAndNext', { submit: word })}
        </Button>
      )}
    </>
  )
}

function useSaveWords(): (status: SaveStatus) => string {
  const { t } = useTranslation('ecrf')
  const errorText = useErrorText()
  return (status) => {
    switch (status.state) {
      case 'clean':
        return t('page.unchanged')
      case 'editing':
      case 'saving':
        return t('page.saving')
      case 'saved':
        return t('page.saved', { time: clockTime(status.at) })
      case 'failed':
        return t('page.failedWhy', { reason: errorText(status.error) })
    }
  }
}
