import { useEffect, useState } from 'react'
import { addressKey } from '#core/form/definition/address.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { DELETED } from '#core/sync/merge.ts'
import type { ConflictPlace, EntryView } from '#src/data/shapes/types.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { useSaver } from '#src/saving/useSaver.ts'
import { dayOf, fullTime } from '#src/ui/words/format.ts'

import { Autosave } from './autosave.ts'

/**
 * The form of an open page, and the autosave that brings its values to the device. Both live as long as the page is
 * open.
 */
export function useEntryForm(
  projectId: string,
  view: EntryView,
  compiled: CompiledPage,
  readOnly: boolean,
): { readonly form: FormState; readonly autosave: Autosave } {
  const actions = useDataActions()
  const [open] = useState(() => {
    const now = new Date()
    const form = createFormState(compiled, view.data, {
      moment: { today: dayOf(now), now: fullTime(now.toISOString()) },
      readOnly,
      isNew: view.status === 'init',
      otherPages: view.otherPages,
      confirmed: view.confirmed,
      masked: view.masked,
    })
    const { target, versionId } = view
    const autosave = new Autosave(
      form,
      { target, versionId },
      {
        journal: (step, opening) => actions.journalEdit(projectId, versionId, target, step, opening),
        journalAnswer: (answer, opening) => actions.journalAnswer(projectId, versionId, target, answer, opening),
        letGo: (opening) => actions.letGoTyping(target, opening),
        discard: (opening) => actions.discardTyping(target, opening),
        prepare: (save) => actions.prepareSave(projectId, save),
        save: (save) => actions.saveEntry(projectId, save),
        submit: (save) => actions.submitEntry(projectId, save),
      },
    )
    return { form, autosave }
  })

  const { form, autosave } = open
  // Runs before the page takes its own newer values, because the rules over them read these.
  useEffect(() => autosave.offerOtherPages(view.otherPages), [autosave, view.otherPages])
  useEffect(() => autosave.offerSubmittedOnce(view.submittedOnce), [autosave, view.submittedOnce])
  useEffect(() => autosave.offer(view.data, view.order, view.masked), [autosave, view.data, view.order, view.masked])
  useEffect(() => autosave.offerConfirmed(view.confirmed, view.order), [autosave, view.confirmed, view.order])
  useEffect(() => form.setConflicts(fieldsInConflict(view.conflicts)), [form, view.conflicts])

  useSaver(autosave.saver)

  return open
}

/**
 * The first conflict of each field of the page, by address. A conflict about whether a row exists belongs to the row's
 * table.
 */
function fieldsInConflict(conflicts: readonly ConflictPlace[]): ReadonlyMap<string, string> {
  return new Map(
    conflicts
      .filter(({ former }) => former === undefined)
      .toReversed()
      .map(({ id, table, rid, code }) => [
        table !== null && code === DELETED ? table : addressKey({ table, rid, code }),
        id,
      ]),
  )
}
