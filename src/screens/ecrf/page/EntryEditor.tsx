import { Stack } from '@mantine/core'
import { Suspense, lazy, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { isError } from '#core/form/engine/issue.ts'
import { isUnanswered } from '#core/form/engine/warning.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import type { Casebook, CasebookPage, EntryView, ExplainedChange, UnexplainedChange } from '#src/data/shapes/types.ts'
import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import { FormView } from '#src/form/FormView.tsx'
import { ProjectBanner } from '#src/frame/shell/ProjectBanner.tsx'
import { MISSING_FIELD, casebookAddress, conflictAddress, entryAddress } from '#src/paths/addresses.ts'
import { CasebookNav, CasebookNavButton } from '#src/screens/ecrf/casebook/CasebookNav.tsx'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { EcrfHeader } from '#src/screens/ecrf/EcrfHeader.tsx'
import { BouncedSubmit } from '#src/screens/ecrf/notes/BouncedSubmit.tsx'
import { ColleagueNotes } from '#src/screens/ecrf/notes/ColleagueNotes.tsx'
import { ConflictNote } from '#src/screens/ecrf/notes/ConflictNote.tsx'
import { NotEchoedNote } from '#src/screens/ecrf/notes/NotEchoedNote.tsx'
import { RetiredValues } from '#src/screens/ecrf/notes/RetiredValues.tsx'
import { WaitingNote } from '#src/screens/ecrf/notes/WaitingNote.tsx'
import { passOf } from '#src/screens/ecrf/passOf.ts'
import { newSince } from '#src/screens/ecrf/reasons/newSince.ts'
import { ReasonsDialog } from '#src/screens/ecrf/reasons/ReasonsDialog.tsx'
import { ReasonStrip } from '#src/screens/ecrf/reasons/ReasonStrip.tsx'
import { useEnded } from '#src/session/endedRights.ts'
import { Note } from '#src/ui/Note.tsx'

import type { Autosave } from './autosave.ts'
import { EmptyPage } from './EmptyPage.tsx'
import { EntryBarred } from './EntryBarred.tsx'
import { EntryFooter } from './EntryFooter.tsx'
import { EntryProgress } from './EntryProgress.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { useAlsoOpen } from './useAlsoOpen.ts'
import { useConfirmPort } from './useConfirmPort.ts'
import { useEntryForm } from './useEntryForm.ts'
import { useFilePort } from './useFilePort.ts'
import { useLeaveGuard } from './useLeaveGuard.ts'
import { useOpenToTyping } from './useOpenToTyping.ts'
import { useResubmitWords } from './useResubmitWords.ts'
import { useUnique } from './useUnique.ts'
import { WarningsDialog } from './WarningsDialog.tsx'

const FieldTrail = lazy(async () => ({ default: (await import('#src/screens/ecrf/trail/FieldTrail.tsx')).FieldTrail }))

interface EntryEditorProps {
  readonly book: Casebook
  readonly page: CasebookPage
  readonly view: EntryView
  readonly compiled: CompiledPage
  readonly title: string
  readonly backLabel: string
  /** Told once what saves this page. */
  readonly onOpen: (autosave: Autosave) => void
}

interface AskedReasons {
  readonly changes: readonly UnexplainedChange[]
  readonly submits: boolean
  /** Whether something came while the reasons were given, so that they are asked for once more. */
  readonly again: boolean
}

/**
 * A page being filled: header, form, footer. Typing renders the field alone; this component renders when the page as a
 * whole changes.
 */
export function EntryEditor({ book, page, view, compiled, title, backLabel, onOpen }: EntryEditorProps) {
  const { t, i18n } = useTranslation('ecrf')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const scope = scopeText({
    kind: 'center',
    projectId: book.project.id,
    centerId: book.patient.centerId,
    pass: page.target.pass,
  })
  // What this tab knows to have ended counts before the next reading says so, and when there is nothing to be read any
  // more.
  const ended = useEnded(scope)
  const entry: Casebook['entry'] = ended === null ? book.entry : { allowed: false, why: ended }
  const { form, autosave } = useEntryForm(book.project.id, view, compiled, !entry.allowed)
  useEffect(() => onOpen(autosave), [autosave, onOpen])
  const allowed = useOpenToTyping(autosave, entry.allowed, scope, page.entryId)
  const alsoOpen = useAlsoOpen(scope, page.entryId, allowed)
  const { leaving, leaveBy } = useLeaveGuard(autosave)
  // What was entered on the page of a voided subject is decided with the subject: nothing of it can be decided here.
  const isVoided = !entry.allowed && entry.why === 'patient_removed'
  const linked = search.get('field')
  const [focus, setFocus] = useState(() => firstField(linked, form))
  const [checked, setChecked] = useState<ReturnType<typeof form.validate> | null>(null)
  const [doubts, setDoubts] = useState(false)
  const [asking, setAsking] = useState<AskedReasons | null>(null)
  const { unexplained, giveReasons } = useDataActions()
  const language = i18n.language === 'en' ? 'en' : 'zh'
  const projectId = book.project.id
  const patientId = book.patient.id

  const pages = book.folders.flatMap((folder) => folder.pages)
  const at = pages.findIndex(({ entryId }) => entryId === page.entryId)
  const goTo = (target: CasebookPage | undefined) => {
    // It is here already: nobody leaves.
    if (target?.entryId === page.entryId) return
    const to =
      target === undefined ? casebookAddress(projectId, patientId) : entryAddress(projectId, patientId, target.entryId)
    // What is on the screen goes to the device before the screen does; if it cannot, it is asked as by a link.
    void leaveBy(() => void navigate(to))
  }
  /** @param asked changes that were asked about just now */
  const submit = async (asked: readonly UnexplainedChange[] = []) => {
    const issues = form.validate()
    const errors = issues.filter((item) => item.issues.some(isError))
    setChecked(errors)
    if (errors.length > 0) {
      await autosave.flush()
      window.scrollTo({ top: 0 })
      return
    }
    if (issues.some((item) => item.issues.some(isUnanswered))) {
      await autosave.flush()
      setDoubts(true)
      return
    }
    await submitSound(asked)
  }
  const submitSound = async (asked: readonly UnexplainedChange[] = []) => {
    // What is on the screen is on the device first, and so is what of it needs a reason.
    if (!(await autosave.flush())) return
    const changes = newSince(asked, await unexplained(projectId, view.target))
    if (changes.length > 0) {
      setAsking({ changes, submits: true, again: asked.length > 0 })
      return
    }
    await autosave.submit()
  }
  const give = async (given: readonly ExplainedChange[], asked: AskedReasons) => {
    // These are answered as they were shown. What came meanwhile has its own question, and a submit does not go before
    // it: it would wait behind it unseen.
    const done = await giveReasons(projectId, view.target, given)
    if (!done.ok) return done
    const more = newSince(asked.changes, await unexplained(projectId, view.target))
    if (more.length > 0) setAsking((now) => (now === asked ? { ...asked, changes: more, again: true } : now))
    else if (asked.submits) await submit(asked.changes)
    return done
  }
  const unexplainedOwn = view.unexplained.filter(({ mine }) => mine)
  const askReasons =
    allowed && unexplainedOwn.length > 0
      ? {
          count: unexplainedOwn.length,
          ask: () => setAsking({ changes: unexplainedOwn, submits: false, again: false }),
        }
      : null
  const confirms = useConfirmPort(autosave, book.project.config.warningReason !== 'N')
  const jump = useCallback((address: string) => setFocus({ address }), [])
  const needs = useResubmitWords(form, view)
  const notUnique = useCallback((label: string) => t('unique', { label }), [t])
  useUnique(projectId, view, form, notUnique)
  const files = useFilePort(projectId, view.target, autosave)
  const [history, setHistory] = useState<string | null>(null)
  // Of a page that nobody has saved nothing has become.
  const hasHistory = view.server !== null || view.mark !== null
  const conflictAt = useCallback(
    (id: string) => conflictAddress(projectId, page.entryId, id),
    [projectId, page.entryId],
  )

  return (
    <>
      <EcrfHeader
        backTo={casebookAddress(projectId, patientId)}
        backLabel={backLabel}
        title={title}
        pass={passOf(book)}
        before={<CasebookNavButton book={book} current={page.entryId} onGo={(target) => goTo(target)} />}
      >
        <EntryProgress form={form} submitted={view.status === SUBMITTED} mark={view.mark} onJump={jump} />
      </EcrfHeader>
      <div className={classes.frame}>
        <CasebookNav book={book} current={page.entryId} onGo={(target) => goTo(target)} />
        <main className={classes.entryMain} data-size={compiled.page.look.size ?? undefined} id="main" tabIndex={-1}>
          <Stack>
            <ProjectBanner project={book.project} />
            <EntryBarred book={book} entry={entry} waiting={isVoided ? view.conflicts.length : 0} />
            <WaitingNote waiting={view.waiting} form={form} />
            {alsoOpen && (
              <Note tone="warning" live>
                {t('page.alsoOpen')}
              </Note>
            )}
            <ColleagueNotes colleagues={view.colleagues} />
            {view.recovered > 0 && (
              <Note tone="info" live>
                {t('page.recovered', { count: view.recovered })}
              </Note>
            )}
            <NotEchoedNote form={form} data={view.data} masked={view.masked} />
            <ReasonStrip changes={view.unexplained} onGive={askReasons?.ask ?? null} />
            {isVoided ? null : <ConflictNote conflicts={view.conflicts} form={form} addressOf={conflictAt} />}
            {checked !== null && checked.length > 0 ? (
              <FormErrorBox state={form} issues={checked} language={language} onJump={jump} />
            ) : (
              view.bounced !== null && (
                <BouncedSubmit bounced={view.bounced} form={form} language={language} onJump={jump} />
              )
            )}
            <div className={classes.sheet}>
              <FormView
                state={form}
                mode={allowed ? 'input' : 'view'}
                language={language}
                onEdit={(edit) => autosave.edited(edit)}
                conflictAddress={conflictAt}
                confirms={confirms}
                {...(hasHistory ? { onHistory: setHistory } : {})}
                files={files}
                lookUps={view.lookUps}
                {...(focus === undefined ? {} : { focus })}
              />
            </div>
            {allowed && <EmptyPage form={form} onEdit={(edit) => autosave.edited(edit)} />}
            <RetiredValues retired={view.server?.retired} />
          </Stack>
        </main>
      </div>
      {history !== null && (
        <Suspense fallback={null}>
          <FieldTrail book={book} view={view} form={form} address={history} onClose={() => setHistory(null)} />
        </Suspense>
      )}
      {doubts && (
        <WarningsDialog
          form={form}
          confirms={confirms}
          language={language}
          onJump={jump}
          onDone={() => {
            setDoubts(false)
            void submitSound()
          }}
          onClose={() => setDoubts(false)}
        />
      )}
      {asking !== null && (
        <ReasonsDialog
          form={form}
          changes={asking.changes}
          submits={asking.submits}
          again={asking.again}
          onGive={(given) => give(given, asking)}
          // What is asked once more stays open.
          onClose={() => setAsking((now) => (now === asking ? null : now))}
        />
      )}
      {leaving !== null && <LeaveDialog leaving={leaving} />}
      <EntryFooter
        autosave={autosave}
        readOnly={!allowed}
        reasons={askReasons}
        onPrevious={at > 0 ? () => goTo(pages[at - 1]) : null}
        onNext={at < pages.length - 1 ? () => goTo(pages[at + 1]) : null}
        onSubmit={() => submit()}
        look={compiled.page.look}
        needs={needs}
      />
    </>
  )
}

/** The field that an address asks for. */
function firstField(linked: string | null, form: FormState): { readonly address: string } | undefined {
  const address = linked === MISSING_FIELD ? form.completeness().missingRequired[0] : linked
  return address === undefined || address === null ? undefined : { address }
}
