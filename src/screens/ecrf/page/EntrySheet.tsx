import type { FormState } from '#core/form/engine/engine.ts'
import type { EntryView } from '#src/data/shapes/types.ts'
import type { ConfirmPort, QueryPort } from '#src/form/formContext.ts'
import { FormView } from '#src/form/FormView.tsx'
import type { ReviewPort } from '#src/form/review/reviewMarks.ts'
import type { Language } from '#src/form/words.ts'
import classes from '#src/screens/ecrf/ecrf.module.css'
import { RetiredValues } from '#src/screens/ecrf/notes/RetiredValues.tsx'

import type { Autosave } from './autosave.ts'
import { EmptyPage } from './EmptyPage.tsx'
import { useFilePort } from './useFilePort.ts'

interface EntrySheetProps {
  readonly projectId: string
  readonly view: EntryView
  readonly form: FormState
  readonly autosave: Autosave
  /** Whether the page takes typing. */
  readonly allowed: boolean
  readonly language: Language
  /** The field that gets the focus. */
  readonly focus: { readonly address: string } | undefined
  readonly confirms: ConfirmPort
  readonly conflictAt: (conflictId: string) => string
  readonly onHistory: (address: string) => void
  readonly queries: QueryPort | null
  /** What is checked of the fields; null where who looks does not check. */
  readonly review: ReviewPort | null
}

/**
 * The fields of an open page. Below them: what a user can do with the whole page, and values that have no field any
 * more.
 */
export function EntrySheet(props: EntrySheetProps) {
  const {
    projectId,
    view,
    form,
    autosave,
    allowed,
    language,
    focus,
    confirms,
    conflictAt,
    onHistory,
    queries,
    review,
  } = props
  const files = useFilePort(projectId, view.target, autosave)
  // A page that nobody has saved has no history.
  const hasHistory = view.server !== null || view.mark !== null
  return (
    <>
      <div className={classes.sheet}>
        <FormView
          state={form}
          mode={allowed ? 'input' : 'view'}
          language={language}
          onEdit={(edit) => autosave.edited(edit)}
          conflictPath={conflictAt}
          confirms={confirms}
          {...(hasHistory ? { onHistory } : {})}
          queries={queries}
          review={review}
          files={files}
          lookUps={view.lookUps}
          {...(focus === undefined ? {} : { focus })}
        />
      </div>
      {allowed && <EmptyPage form={form} onEdit={(edit) => autosave.edited(edit)} />}
      <RetiredValues retired={view.server?.retired} />
    </>
  )
}
