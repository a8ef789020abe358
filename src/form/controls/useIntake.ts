import { useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import { isImageType } from '#core/files/reference.ts'
import type { FileReference } from '#core/files/reference.ts'
import { addressOf } from '#core/form/definition/address.ts'
import type { FileRule } from '#core/form/definition/page.ts'
import { isList } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { TakenFile } from '#src/data/shapes/fileTypes.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { byteSize } from '#src/ui/words/format.ts'

import { edit } from '../formActions.ts'
import type { FormWords } from '../words.ts'
import type { Drawing } from './drawing.ts'
import { lookAt, madeReady } from './fileIntake.ts'
import type { LookedAt } from './fileIntake.ts'
import type { Region } from './picture.ts'

/** The outcome of the last file. */
interface Said {
  readonly bad: boolean
  readonly text: string
}

/** Where files go. */
interface Intake {
  /** What the field accepts; null where it accepts every kind of file. */
  readonly rule: FileRule | null
  readonly t: FormWords
  /** How many more files may be taken; left out where there is no end. */
  readonly room?: number
  /** Stores a file on the disk. */
  readonly take: (file: TakenFile) => Promise<Result<FileReference, ApiError>>
  /** Adds a file that is on the disk to what is there by then. */
  readonly add: (reference: FileReference) => void
}

/** Stores files on the disk and adds them to the field. */
export function useIntake({ cell: { key, field }, environment: { t, files: port, state } }: Drawing) {
  const setFiles = (to: readonly JsonValue[]) => {
    if (port !== null)
      edit({ state, onEdit: port.onEdit }, key, (form) => form.setValue(key, to.length === 0 ? null : to))
  }
  const intake = useFileIntake({
    rule: field.files,
    t,
    take: async (file) => (port === null ? err({ code: 'vault_locked' }) : port.take(addressOf(key), file)),
    add: (reference) => {
      // Reads the field's value now, not as it was when the file was chosen.
      const now = state.getCell(key)?.value ?? null
      setFiles([...(isList(now) ? now : []), { ...reference }])
    },
  })
  return { ...intake, setFiles }
}

/** Looks at files and stores them on the disk. A single photo is reviewed before it is kept. */
export function useFileIntake({ rule, t, room = Infinity, take: store, add }: Intake) {
  const errorText = useErrorText()
  const [said, setSaid] = useState<Said | null>(null)
  const [busy, setBusy] = useState(false)
  const [reviewing, setReviewing] = useState<LookedAt | null>(null)

  const keep = async (file: LookedAt, regions: readonly Region[]): Promise<boolean> => {
    const ready = await madeReady(file, regions)
    if (ready === null) {
      setSaid({ bad: true, text: t('files.notDrawn', { name: file.name }) })
      return false
    }
    const taken = await store(ready)
    if (!taken.ok) {
      setSaid({ bad: true, text: t('files.notKept', { name: ready.name, reason: errorText(taken.error) }) })
      return false
    }
    add(taken.value)
    setSaid({ bad: false, text: t('files.kept', { name: ready.name }) })
    return true
  }
  const takeAll = async (chosen: readonly File[]) => {
    for (const one of chosen.slice(0, room)) {
      const look = await lookAt(one, rule)
      if (!look.ok) {
        const reason = t(`files.problem.${look.problem}`, { max: byteSize(look.maxBytes) })
        setSaid({ bad: true, text: t('files.refused', { name: look.name, reason }) })
        continue
      }
      // The user reviews a single photo before it is kept, and covers what must not be seen.
      if (chosen.length === 1 && isImageType(look.file.type)) setReviewing(look.file)
      else if (!(await keep(look.file, []))) return
    }
    const left = chosen.slice(room)
    if (left.length > 0)
      setSaid({ bad: true, text: t('files.tooMany', { names: left.map(({ name }) => name).join(t('listSeparator')) }) })
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
  return { said, busy, reviewing, take, keepReviewed, dropReviewed: () => setReviewing(null) }
}
