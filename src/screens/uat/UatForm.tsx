import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { FieldIssues } from '#core/form/engine/issue.ts'
import { isError } from '#core/form/engine/issue.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { useBreakpoint } from '#src/frame/breakpoints.ts'
import { BrokenPage } from '#src/form/BrokenPage.tsx'
import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import { FormView } from '#src/form/FormView.tsx'
import { PreviewSheet, PreviewTools, widthOf } from '#src/form/PreviewTools.tsx'
import type { PageWidth } from '#src/form/PreviewTools.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { clockTime, dayOf, fullTime } from '#src/ui/words/format.ts'

import type { UatVersion } from './casebook.ts'
import { compiledAt, otherPagesOf } from './casebook.ts'
import type { PageAt, UatPage, UatEditor, UatView } from './uatEditor.ts'
import { pageKey } from './uatEditor.ts'
import classes from '#src/screens/uat/uat.module.css'

interface UatFormProps {
  readonly editor: UatEditor
  readonly view: UatView
  readonly version: UatVersion
  readonly at: PageAt
  readonly name: string
  readonly mayWrite: boolean
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
}

/** The result of a submit. */
type Outcome =
  | { readonly is: 'done' }
  | {
      readonly is: 'wrong'
      readonly issues: readonly FieldIssues[]
      readonly messages: Readonly<Record<string, string>>
    }
  | { readonly is: 'failed'; readonly error: ApiError }

/**
 * One page as the tablet shows it, filled in as on a tablet: with the rules of the version, including those across
 * pages.
 */
export function UatForm({ editor, view, version, at, name, mayWrite, onPrevious, onNext }: UatFormProps) {
  const { t, i18n } = useTranslation('uat')
  // The app's language, until the user chooses another for the form.
  const [chosen, setLanguage] = useState<'zh' | 'en' | null>(null)
  const language = chosen ?? (i18n.language === 'en' ? 'en' : 'zh')
  // A wide screen has room for a sheet of paper beside the visits; elsewhere the page fills the screen.
  const isWide = useBreakpoint() === 3
  const [chosenWidth, setWidth] = useState<PageWidth | null>(null)
  const [form] = useState(() => openForm(editor, version, at, mayWrite))
  const width = chosenWidth ?? widthOf(form?.compiled.page.look.size, isWide ? 'vertical' : 'auto')
  const { outcome, busy, submit } = useSubmit(editor, at, form)
  const [focus, setFocus] = useState<{ readonly address: string }>()
  const page = view.pages.get(pageKey(at))
  return (
    <section className={classes.main} aria-label={name}>
      <PreviewTools language={language} onLanguage={setLanguage} width={width} onWidth={setWidth} />
      {!mayWrite && <Note tone="info">{t('readOnly')}</Note>}
      {page !== undefined && page.theirs !== null && (
        <Meeting page={page} onKeep={(which) => void editor.settle(at, which)} />
      )}
      {outcome !== null && form !== null && (
        <OutcomeNote
          // A key of its own, so that a screen reader announces each kind of outcome as a new note.
          key={outcome.is}
          outcome={outcome}
          page={page}
          form={form}
          language={language}
          onJump={(address) => setFocus({ address })}
        />
      )}
      <PreviewSheet width={width} language={language} name={name}>
        {form === null ? (
          <BrokenPage />
        ) : (
          <FormView
            key={language}
            state={form}
            mode={mayWrite ? 'input' : 'view'}
            language={language}
            onEdit={() => editor.edited(at, form.data())}
            {...(focus === undefined ? {} : { focus })}
          />
        )}
      </PreviewSheet>
      <div className={classes.footer}>
        <Saving view={view} page={page} mayWrite={mayWrite} onRetry={() => void editor.flush()} />
        <Group gap="xs" wrap="nowrap">
          <StepButton to="previous" onGo={onPrevious} />
          {mayWrite && form !== null && (
            <Button h="var(--zl-control)" loading={busy} onClick={() => void submit()}>
              {form.compiled.page.look.submitText ?? t('submit')}
            </Button>
          )}
          <StepButton to="next" onGo={onNext} />
        </Group>
      </div>
    </section>
  )
}

/** Submits a page. With errors of its own it is not sent; otherwise the server reports the result. */
function useSubmit(editor: UatEditor, at: PageAt, form: FormState | null) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (form === null) return
    const issues = form.validate().filter((item) => item.issues.some(isError))
    if (issues.length > 0) return setOutcome({ is: 'wrong', issues, messages: {} })
    form.takeInitial()
    setBusy(true)
    const answer = await editor.submit(at, form.data())
    setBusy(false)
    if (!answer.ok) return setOutcome({ is: 'failed', error: answer.error })
    form.setServerMessages(answer.value)
    setOutcome(
      Object.keys(answer.value).length === 0 ? { is: 'done' } : { is: 'wrong', issues: [], messages: answer.value },
    )
  }
  return { outcome, busy, submit }
}

function openForm(editor: UatEditor, version: UatVersion, at: PageAt, mayWrite: boolean) {
  const compiled = compiledAt(version, at)
  if (compiled === null) return null
  const { pages } = editor.view()
  const known = pages.get(pageKey(at))
  const now = new Date()
  const moment = { today: dayOf(now), now: fullTime(now.toISOString()) }
  return createFormState(compiled, known?.data ?? { values: {}, missing: {} }, {
    moment,
    readOnly: !mayWrite,
    isNew: known === undefined,
    otherPages: otherPagesOf(version, compiled, at, pages),
  })
}

interface OutcomeNoteProps {
  readonly outcome: Outcome
  readonly page: UatPage | undefined
  readonly form: FormState
  readonly language: 'zh' | 'en'
  readonly onJump: (address: string) => void
}

/** The result of the last submit. A success is shown only until the page is edited again. */
function OutcomeNote({ outcome, page, form, language, onJump }: OutcomeNoteProps) {
  const { t } = useTranslation('uat')
  const errorText = useErrorText()
  switch (outcome.is) {
    case 'done':
      return page?.isSaved === true && page.saved?.status === SUBMITTED ? (
        <Note tone="done" live>
          {t('submitted')}
        </Note>
      ) : null
    case 'wrong':
      return (
        <FormErrorBox
          state={form}
          issues={outcome.issues}
          messages={outcome.messages}
          language={language}
          onJump={onJump}
        />
      )
    case 'failed':
      return (
        <Note tone="error" live>
          {t('notSubmitted', { reason: errorText(outcome.error) })}
        </Note>
      )
  }
}

/** The button to the page before or after this one; disabled at either end. */
function StepButton({ to, onGo }: { readonly to: 'previous' | 'next'; readonly onGo: (() => void) | null }) {
  const { t } = useTranslation('uat')
  return (
    <Button
      variant="default"
      h="var(--zl-control)"
      px="sm"
      disabled={onGo === null}
      {...(to === 'previous'
        ? { leftSection: <IconChevronLeft size={18} aria-hidden="true" /> }
        : { rightSection: <IconChevronRight size={18} aria-hidden="true" /> })}
      onClick={() => onGo?.()}
    >
      {t(to)}
    </Button>
  )
}

/** Where the entered data are: at the server, or only on this device. */
function Saving({
  view: { status },
  page,
  mayWrite,
  onRetry,
}: {
  readonly view: UatView
  readonly page: UatPage | undefined
  readonly mayWrite: boolean
  readonly onRetry: () => void
}) {
  const { t } = useTranslation('uat')
  const errorText = useErrorText()
  if (!mayWrite) return <span className={classes.saving} />
  const said =
    status.is === 'refused'
      ? t('saving.refused', { reason: errorText(status.error) })
      : status.is !== 'saved'
        ? t(`saving.${status.is}`)
        : page?.saved === undefined || page.saved === null
          ? t('saving.nothing')
          : t('saving.savedAt', { time: clockTime(page.saved.savedAt) })
  return (
    <>
      <output className={classes.saving} data-status={status.is}>
        {said}
      </output>
      {(status.is === 'away' || status.is === 'refused') && (
        <Button variant="default" h="var(--zl-control)" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </>
  )
}

/** The page was also filled in elsewhere: the tester decides which version stands. */
function Meeting({ page, onKeep }: { readonly page: UatPage; readonly onKeep: (which: 'mine' | 'theirs') => void }) {
  const { t } = useTranslation('uat')
  return (
    <Note tone="warning" live title={t('meeting.title')}>
      <p>{t('meeting.text', { time: fullTime(page.theirs?.savedAt ?? '') })}</p>
      <Group gap="xs">
        <Button h="var(--zl-control)" variant="default" onClick={() => onKeep('theirs')}>
          {t('meeting.theirs')}
        </Button>
        <Button h="var(--zl-control)" variant="default" onClick={() => onKeep('mine')}>
          {t('meeting.mine')}
        </Button>
      </Group>
    </Note>
  )
}
