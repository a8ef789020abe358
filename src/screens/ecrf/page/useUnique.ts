import { useEffect } from 'react'
import type { FormState } from '#core/form/engine/engine.ts'
import type { JsonValue } from '#core/json.ts'
import { jsonEqual } from '#core/json.ts'
import type { EntryView } from '#src/data/shapes/types.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'

/**
 * How long a value must stay the same before the server is asked about it, in milliseconds: as long as a save waits.
 */
const REST = 500

/**
 * Asks the server whether another patient has the same value in a field that must be unique, once the value rests.
 * Without the network it says nothing: the server checks the value when the page is submitted.
 *
 * @param words of the error, by the label of the field
 */
export function useUnique(
  projectId: string,
  { target, versionId, entryId }: Pick<EntryView, 'target' | 'versionId' | 'entryId'>,
  form: FormState,
  words: (label: string) => string,
): void {
  const { isTaken } = useDataActions()
  useEffect(() => {
    const waiting = new Map<string, ReturnType<typeof setTimeout>>()
    const stops = form.compiled.page.fields.flatMap(({ code, label, unique }) => {
      if (!unique) return []
      let last: JsonValue | null = form.getCell(code)?.value ?? null
      const ask = async (value: JsonValue) => {
        const taken = await isTaken(projectId, versionId, target, code, value)
        // The value may have changed meanwhile; then it is asked about by itself.
        if (taken === true && jsonEqual(form.getCell(code)?.value ?? null, value))
          form.setServerMessage(code, words(label))
      }
      return form.subscribe(code, () => {
        const { value = null, readOnly = true } = form.getCell(code) ?? {}
        if (jsonEqual(value, last)) return
        last = value
        clearTimeout(waiting.get(code))
        if (value !== null && !readOnly)
          waiting.set(
            code,
            setTimeout(() => void ask(value), REST),
          )
      })
    })
    return () => {
      for (const stop of stops) stop()
      for (const timer of waiting.values()) clearTimeout(timer)
    }
    // Every reading of the page makes a new target object; its id says whether it is the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isTaken, projectId, versionId, entryId, form, words])
}
