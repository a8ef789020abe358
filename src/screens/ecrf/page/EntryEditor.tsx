import { Stack } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import type { Casebook, CasebookPage, EntryView } from '#src/data/shapes/types.ts'
import { MISSING_FIELD, casebookPath, conflictPath, entryPath } from '#src/paths/screenPaths.ts'
import { CasebookNav, CasebookNavButton } from '#src/screens/ecrf/casebook/CasebookNav.tsx'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { EcrfHeader } from '#src/screens/ecrf/EcrfHeader.tsx'
import { EntryNotes } from '#src/screens/ecrf/notes/EntryNotes.tsx'
import { passOf } from '#src/screens/ecrf/passOf.ts'
import { SubmissionDialogs } from '#src/screens/ecrf/submit/SubmissionDialogs.tsx'
import { useConfirmPort } from '#src/screens/ecrf/submit/useConfirmPort.ts'
import { useResubmitWords } from '#src/screens/ecrf/submit/useResubmitWords.ts'
import { useSubmission } from '#src/screens/ecrf/submit/useSubmission.ts'
import { FieldBeside } from '#src/screens/ecrf/beside/FieldBeside.tsx'
import { PageQueriesLine } from '#src/screens/ecrf/beside/PageQueriesLine.tsx'
import { useBeside } from '#src/screens/ecrf/beside/useBeside.ts'
import type { BesideState } from '#src/screens/ecrf/beside/useBeside.ts'
import { useChecking } from '#src/screens/ecrf/check/useChecking.ts'
import type { Checking } from '#src/screens/ecrf/check/useChecking.ts'
import type { ConfirmPort } from '#src/form/formContext.ts'
import type { Language } from '#src/form/words.ts'
import { laterPart } from '#src/parts/laterPart.tsx'
import { useEnded } from '#src/session/endedRights.ts'

import type { Autosave } from './autosave.ts'
import { EntryFooter } from './EntryFooter.tsx'
import { EntryProgress } from './EntryProgress.tsx'
import { EntrySheet } from './EntrySheet.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { PageNotDone } from './PageNotDone.tsx'
import { useAlsoOpen } from './useAlsoOpen.ts'
import { useEntryForm } from './useEntryForm.ts'
import { useLeaveGuard } from './useLeaveGuard.ts'
import { useOpenToTyping } from './useOpenToTyping.ts'
import { usePageKeys } from './usePageKeys.ts'
import { useUnique } from './useUnique.ts'

const CheckedPage = laterPart(async () => (await import('#src/screens/ecrf/check/CheckedPage.tsx')).CheckedPage)

interface EntryEditorProps {
  readonly book: Casebook
  readonly page: CasebookPage
  readonly view: EntryView
  readonly compiled: CompiledPage
  readonly title: string
  readonly backLabel: string
  /** Whether the page took typing since it is open. */
  readonly wasOpen: boolean
  readonly besideState: BesideState
  /** Gets, once, the object that saves this page. */
  readonly onOpen: (autosave: Autosave) => void
}

/**
 * A page that is being filled in: header, form, footer. Typing renders only the field; this component renders when the
 * page as a whole changes.
 */
export function EntryEditor(props: EntryEditorProps) {
  const { book, page, view, compiled, title, backLabel, wasOpen, besideState, onOpen } = props
  const { i18n } = useTranslation('ecrf')
  const [search] = useSearchParams()
  const { form, autosave, entry, allowed, alsoOpen } = useOpenPage(book, page, view, compiled)
  useEffect(() => onOpen(autosave), [autosave, onOpen])
  const { leaving, leaveBy } = useLeaveGuard(autosave)
  const linked = search.get('field')
  const [focus, setFocus] = useState(() => firstField(linked, form))
  const beside = useBeside(book, view.target, besideState)
  const checking = useChecking(book, view, form, beside.queries, allowed)
  const language = i18n.language === 'en' ? 'en' : 'zh'
  const projectId = book.project.id
  const submission = useSubmission(form, autosave, projectId, view.target)
  const { goTo, previous, next } = useWays(book, page, leaveBy)
  const own = view.unexplained.filter(({ mine }) => mine)
  const askReasons = allowed && own.length > 0 ? { count: own.length, ask: () => submission.ask(own) } : null
  const confirms = useConfirmPort(autosave, book.project.config.warningReason !== 'N')
  const jump = useCallback((address: string) => setFocus({ address }), [])
  const needs = useResubmitWords(form, view)
  usePageKeys({
    previous,
    next,
    submit: allowed ? () => void submission.submit(next ?? undefined) : null,
  })
  const conflictAt = useCallback((id: string) => conflictPath(projectId, page.entryId, id), [projectId, page.entryId])

  return (
    <>
      <PageHead {...{ book, page, view, form, autosave, allowed, title, backLabel, goTo, jump }} />
      <div className={classes.frame}>
        <CasebookNav book={book} current={page.entryId} onGo={goTo} />
        <FieldBeside
          {...{ book, view, form, checking }}
          queries={beside.queries}
          open={beside.open}
          onOpen={beside.setOpen}
          onJump={jump}
        >
          <main
            className={classes.entryMain}
            data-checked={checking === null ? undefined : ''}
            data-size={compiled.page.look.size ?? undefined}
            id="main"
            tabIndex={-1}
          >
            <PageContent
              {...{ book, view, form, autosave, entry, allowed, alsoOpen, wasOpen }}
              {...{ language, conflictAt, jump, checking, beside }}
              {...{ submission, askReasons, confirms, linked, focus }}
            />
          </main>
        </FieldBeside>
      </div>
      <SubmissionDialogs {...{ submission, form, confirms, language }} onJump={jump} />
      {leaving !== null && <LeaveDialog leaving={leaving} />}
      <EntryFooter
        autosave={autosave}
        readOnly={!allowed}
        reasons={askReasons}
        onPrevious={previous}
        onNext={next}
        onSubmit={() => submission.submit()}
        onSubmitAndNext={next === null ? null : () => submission.submit(next)}
        look={compiled.page.look}
        needs={needs}
      />
    </>
  )
}

interface PageHeadProps
  extends
    Omit<EntryEditorProps, 'compiled' | 'wasOpen' | 'besideState' | 'onOpen'>,
    Pick<OpenPage, 'form' | 'autosave' | 'allowed'>,
    Pick<Ways, 'goTo'> {
  readonly jump: (address: string) => void
}

/** The bar of a page: whose it is, the way to the other pages, and how far it is filled. */
function PageHead(props: PageHeadProps) {
  const { book, page, view, form, autosave, allowed, title, backLabel, goTo, jump } = props
  return (
    <EcrfHeader
      backTo={casebookPath(book.project.id, book.patient.id)}
      backLabel={backLabel}
      title={title}
      pass={passOf(book)}
      before={<CasebookNavButton book={book} current={page.entryId} onGo={goTo} />}
    >
      <EntryProgress
        form={form}
        submitted={view.status === SUBMITTED}
        mark={view.mark}
        onJump={jump}
        notDone={allowed ? <PageNotDone form={form} onEdit={(edit) => autosave.edited(edit)} /> : null}
      />
    </EcrfHeader>
  )
}

interface PageContentProps extends Pick<EntryEditorProps, 'book' | 'view' | 'wasOpen'>, OpenPage {
  readonly language: Language
  readonly conflictAt: (id: string) => string
  readonly jump: (address: string) => void
  readonly checking: Checking | null
  readonly beside: ReturnType<typeof useBeside>
  readonly submission: ReturnType<typeof useSubmission>
  readonly askReasons: { readonly ask: () => void } | null
  readonly confirms: ConfirmPort
  readonly linked: string | null
  readonly focus: { readonly address: string } | undefined
}

/** What stands between the bars of a page: notes, what is asked and checked of the page, and its fields. */
function PageContent(props: PageContentProps) {
  const { book, view, form, autosave, entry, allowed, alsoOpen, language, conflictAt, jump, checking, beside } = props
  const { submission, askReasons, confirms, linked, focus, wasOpen } = props
  const projectId = book.project.id
  const asked = { queries: beside.queries, onOpen: () => beside.showQueries(null) }
  return (
    <Stack>
      <EntryNotes
        {...{ book, entry, view, form, language, alsoOpen, conflictAt }}
        checked={submission.checked}
        cameToCheck={checking !== null && !wasOpen}
        onGiveReasons={askReasons?.ask ?? null}
        onJump={jump}
      />
      {checking === null ? (
        <PageQueriesLine {...asked} />
      ) : (
        <CheckedPage
          {...{ checking, book, view, form }}
          queries={beside.queries}
          isLinked={linked !== null}
          onJump={jump}
          onSource={beside.showSource}
          lead={<PageQueriesLine {...asked} isAmongOthers />}
          meanwhile={<div className={classes.checkRoom} />}
        />
      )}
      <EntrySheet
        {...{ projectId, view, form, autosave, allowed, language, focus, confirms, conflictAt }}
        onHistory={beside.showHistory}
        queries={beside.port}
        review={checking?.port ?? null}
      />
    </Stack>
  )
}

type OpenPage = ReturnType<typeof useOpenPage>

/** The form of the page, what saves it, and whether it takes typing. */
function useOpenPage(book: Casebook, page: CasebookPage, view: EntryView, compiled: CompiledPage) {
  const scope = scopeText({
    kind: 'center',
    projectId: book.project.id,
    centerId: book.patient.centerId,
    pass: page.target.pass,
  })
  // An ended right that this tab knows of counts at once, before the next reading says so or when nothing can be read
  // any more.
  const ended = useEnded(scope)
  const entry: Casebook['entry'] = ended === null ? book.entry : { allowed: false, why: ended }
  const { form, autosave } = useEntryForm(book.project.id, view, compiled, !entry.allowed)
  const allowed = useOpenToTyping(autosave, entry.allowed, scope, page.entryId)
  const alsoOpen = useAlsoOpen(scope, page.entryId, allowed)
  const { t } = useTranslation('ecrf')
  const notUnique = useCallback((label: string) => t('unique', { label }), [t])
  useUnique(book.project.id, view, form, notUnique)
  return { form, autosave, entry, allowed, alsoOpen }
}

interface Ways {
  /** Goes to another page of the patient, or to the casebook. */
  readonly goTo: (target?: CasebookPage) => void
  /** Goes to the page before; null on the first. */
  readonly previous: (() => void) | null
  readonly next: (() => void) | null
}

/** Where a user can go from a page. */
function useWays(book: Casebook, page: CasebookPage, leaveBy: (way: () => void) => Promise<void>): Ways {
  const navigate = useNavigate()
  const goTo = (target?: CasebookPage) => {
    // The wanted page is open already: nobody leaves.
    if (target?.entryId === page.entryId) return
    const place = [book.project.id, book.patient.id] as const
    const to = target === undefined ? casebookPath(...place) : entryPath(...place, target.entryId)
    // What is on the screen is saved before the screen closes. Where that fails, the user is asked, as with a link.
    void leaveBy(() => void navigate(to))
  }
  const pages = book.folders.flatMap((folder) => folder.pages)
  const at = pages.findIndex(({ entryId }) => entryId === page.entryId)
  return {
    goTo,
    previous: at > 0 ? () => goTo(pages[at - 1]) : null,
    next: at < pages.length - 1 ? () => goTo(pages[at + 1]) : null,
  }
}

/** The field that the address of the screen asks for. */
function firstField(linked: string | null, form: FormState): { readonly address: string } | undefined {
  const address = linked === MISSING_FIELD ? form.completeness().missingRequired[0] : linked
  return address === undefined || address === null ? undefined : { address }
}
