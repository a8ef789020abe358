import { useState } from 'react'
import { isImageType } from '#core/files/reference.ts'
import { addressOf } from '#core/form/definition/address.ts'
import { isList } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { byteSize } from '#src/ui/words/format.ts'

import { edit } from '../formActions.ts'
import type { Drawing } from './drawing.ts'
import { lookAt, madeReady } from './fileIntake.ts'
import type { LookedAt } from './fileIntake.ts'
import type { Region } from './picture.ts'

/** The outcome of the last file. */
interface Said {
  readonly bad: boolean
  readonly text: string
}

/** Stores files on the disk and adds them to the field. A single photo is reviewed before it is kept. */
export function useIntake({ cell: { key, field }, environment: { t, files: port, state } }: Drawing) {
  const errorText = useErrorText()
  const [said, setSaid] = useState<Said | null>(null)
  const [busy, setBusy] = useState(false)
  const [reviewing, setReviewing] = useState<LookedAt | null>(null)

  const setFiles = (to: readonly JsonValue[]) => {
    if (port !== null)
      edit({ state, onEdit: port.onEdit }, key, (form) => form.setValue(key, to.length === 0 ? null : to))
  }
  const keep = async (file: LookedAt, regions: readonly Region[]): Promise<boolean> => {
    const ready = await madeReady(file, regions)
    if (ready === null || port === null) {
      setSaid({ bad: true, text: t('files.notDrawn', { name: file.name }) })
      return false
    }
    const taken = await port.take(addressOf(key), ready)
    if (!taken.ok) {
      setSaid({ bad: true, text: t('files.notKept', { name: ready.name, reason: errorText(taken.error) }) })
      return false
    }
    // Reads the field's value now, not as it was when the file was chosen.
    const now = state.getCell(key)?.value ?? null
    setFiles([...(isList(now) ? now : []), { ...taken.value }])
    setSaid({ bad: false, text: t('files.kept', { name: ready.name }) })
    return true
  }
  const takeAll = async (chosen: readonly File[]) => {
    for (const one of chosen) {
      const look = await lookAt(one, field.files)
      if (!look.ok) {
        const reason = t(`files.problem.${look.problem}`, { max: byteSize(look.maxBytes) })
        setSaid({ bad: true, text: t('files.refused', { name: look.name, reason }) })
        continue
      }
      // The user reviews a single photo before it is kept, and covers what must not be seen.
      if (chosen.length === 1 && isImageType(look.file.type)) setReviewing(look.file)
      else if (!(await keep(look.file, []))) break
    }
  }
  const take = async (list: FileList | null) => {
    const chosen = [...(list ?? [])]
    if (chosen.length === 0) return
    setBusy(true)
    try {
      await takeAll(chosen)
    } finally {
      setBusy(false)
    }
  }
  const keepReviewed = async (file: LookedAt, regions: readonly Region[]) => {
    if (await keep(file, regions)) setReviewing(null)
  }
  return { said, busy, reviewing, take, keepReviewed, dropReviewed: () => setReviewing(null), setFiles }
}
