import { useMemo } from 'react'
import { z } from 'zod/mini'
import { useSession } from '#src/session/useSession.ts'
import { NO_NOTES } from '#src/ui/table/contract.ts'
import type { TableMemory, TableNotes } from '#src/ui/table/contract.ts'

import { sharedNotes } from './sharedValue.ts'

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

const shared = sharedNotes<TableNotes>(KEY, notes)

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
