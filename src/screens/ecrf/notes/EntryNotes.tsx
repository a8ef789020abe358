import { useTranslation } from 'react-i18next'
import type { FormState } from '#core/form/engine/engine.ts'
import type { Casebook, EntryView } from '#src/data/shapes/types.ts'
import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import type { Language } from '#src/form/words.ts'
import { ProjectBanner } from '#src/frame/shell/ProjectBanner.tsx'
import { EntryBarred } from '#src/screens/ecrf/page/EntryBarred.tsx'
import { ReasonStrip } from '#src/screens/ecrf/reasons/ReasonStrip.tsx'
import { Note } from '#src/ui/Note.tsx'

import { BouncedSubmit } from './BouncedSubmit.tsx'
import { ColleagueNotes } from './ColleagueNotes.tsx'
import { ConflictNote } from './ConflictNote.tsx'
import { NotEchoedNote } from './NotEchoedNote.tsx'
import { WaitingNote } from './WaitingNote.tsx'

interface EntryNotesProps {
  readonly book: Casebook
  /** Whether the page takes typing, as this tab knows it. */
  readonly entry: Casebook['entry']
  readonly view: EntryView
  readonly form: FormState
  readonly language: Language
  /** Whether the page is open in another tab as well. */
  readonly alsoOpen: boolean
  /** Errors that a try to submit has found; null before one was made. */
  readonly checked: ReturnType<FormState['validate']> | null
  readonly conflictAt: (conflictId: string) => string
  /** Null where no user here can be asked for a reason. */
  readonly onGiveReasons: (() => void) | null
  readonly onJump: (address: string) => void
  /**
   * Whether the page was opened to check it: who does that knows that they do not enter. Whose right to enter ended
   * while it was open has to read so.
   */
  readonly cameToCheck: boolean
}

/** All notes on an open page, above its form. */
export function EntryNotes(props: EntryNotesProps) {
  const { book, entry, view, form, language, alsoOpen, checked, conflictAt, onGiveReasons, onJump, cameToCheck } = props
  const { t } = useTranslation('ecrf')
  // Work on a page of a removed patient is decided together with the patient: nothing of it can be decided here.
  const isVoided = !entry.allowed && entry.why === 'patient_removed'
  return (
    <>
      <ProjectBanner project={book.project} />
      {cameToCheck && !entry.allowed && entry.why === 'no_right' ? null : (
        <EntryBarred book={book} entry={entry} waiting={isVoided ? view.conflicts.length : 0} />
      )}
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
      <ReasonStrip changes={view.unexplained} onGive={onGiveReasons} />
      {isVoided ? null : (
        <ConflictNote
          conflicts={view.conflicts}
          count={view.conflictCount}
          decides={entry.allowed}
          form={form}
          pathOf={conflictAt}
        />
      )}
      {checked !== null && checked.length > 0 ? (
        <FormErrorBox state={form} issues={checked} language={language} onJump={onJump} />
      ) : (
        view.bounced !== null && (
          <BouncedSubmit bounced={view.bounced} form={form} language={language} onJump={onJump} />
        )
      )}
    </>
  )
}
