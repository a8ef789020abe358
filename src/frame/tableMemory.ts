import { useMemo } from 'react'
import { z } from 'zod/mini'
import { useSession } from '#src/session/useSession.ts'
import { NO_NOTES } from '#src/ui/table/contract.ts'
import type { TableMemory, TableNotes } from '#src/ui/table/contract.ts'

import { sharedValue } from './sharedValue.ts'

/**
 * What people arranged in the lists of this device: columns, widths, saved views. It is beside the preferences, in
 * unencrypted storage: a view holds what was chosen (a center, a state, a day), never what was searched for and nothing
 * of a subject.
 */

const KEY = 'zhenglu.tables'

const sort = z.nullable(z.object({ key: z.string(), down: z.boolean() }))
const columns = z.record(z.string(), z.boolean())
const notes = z.object({
  layout: z.object({ columns, widths: z.record(z.string(), z.number()), sort }),
  views: z.array(
    z.object({ id: z.string(), name: z.string(), filters: z.record(z.string(), z.string()), columns, sort }),
  ),
  panelWidth: z.nullable(z.number()),
})

type Notes = Readonly<Record<string, TableNotes>>

const shared = sharedValue<Notes>(KEY, (stored) => {
  if (typeof stored !== 'object' || stored === null) return {}
  // An older app, or anybody, may have written it: what cannot be read is left out.
  return Object.fromEntries(
    Object.entries(stored).flatMap(([place, value]) => {
      const read = notes.safeParse(value)
      return read.success ? [[place, read.data]] : []
    }),
  )
})

/** What the signed-in person arranged in a list, for all projects alike. @param list its name in the storage */
export function useTableMemory(list: string): TableMemory {
  const { current } = useSession()
  const place = `${current.state === 'open' ? current.user.userId : ''} ${list}`
  const own = shared.use()[place] ?? NO_NOTES
  return useMemo(
    () => ({
      notes: own,
      note: (change) => {
        const all = shared.get()
        shared.set({ ...all, [place]: { ...(all[place] ?? NO_NOTES), ...change } })
      },
    }),
    [own, place],
  )
}
