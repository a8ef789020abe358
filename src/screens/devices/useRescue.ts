import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RescueReport } from '#core/api/calls/sync.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

/** The largest file that the server takes, in bytes. */
const MAX_BYTES = 16_000_000

/** A file that the server has read, and its report. */
interface Opened {
  readonly name: string
  readonly text: string
  readonly report: RescueReport
}

interface Rescue {
  readonly busy: 'reading' | 'importing' | null
  readonly opened: Opened | null
  /** Why the file could not be read or taken in, in words. */
  readonly trouble: string | null
  /** The report of what was taken in. */
  readonly done: RescueReport | null
  readonly read: (file: File | null) => Promise<void>
  readonly apply: (opened: Opened) => Promise<void>
}

/** Has the server read a rescue file, which changes nothing yet, and then take it in. */
export function useRescue(projectId: string): Rescue {
  const { t } = useTranslation('devices')
  const errorText = useErrorText()
  const act = useServerAction()
  const [busy, setBusy] = useState<'reading' | 'importing' | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  // The reason, not its words: these follow the language.
  const [trouble, setTrouble] = useState<ApiError | 'tooLarge' | null>(null)
  const [done, setDone] = useState<RescueReport | null>(null)

  const explain = (why: ApiError | 'tooLarge'): string => {
    if (why === 'tooLarge') return t('rescue.tooLarge')
    return why.code === 'invalid' ? t('rescue.unreadable') : errorText(why)
  }
  const read = async (file: File | null) => {
    if (file === null) return
    setOpened(null)
    setTrouble(file.size > MAX_BYTES ? 'tooLarge' : null)
    if (file.size > MAX_BYTES) return
    setBusy('reading')
    const text = await file.text()
    const result = await act('sync.rescue', { body: { projectId, file: text, apply: false }, projectId })
    setBusy(null)
    if (result.ok) setOpened({ name: file.name, text, report: result.value })
    else setTrouble(result.error)
  }
  const apply = async ({ text }: Opened) => {
    setBusy('importing')
    const result = await act('sync.rescue', { body: { projectId, file: text, apply: true }, projectId })
    setBusy(null)
    setTrouble(result.ok ? null : result.error)
    if (result.ok) setDone(result.value)
  }
  return { busy, opened, trouble: trouble === null ? null : explain(trouble), done, read, apply }
}
