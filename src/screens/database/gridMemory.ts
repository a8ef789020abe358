import { useMemo } from 'react'
import { z } from 'zod/mini'
import { databaseKeys, databaseStatuses } from '#core/api/calls/data/database.ts'
import { answerTest } from '#core/dataset/conditions.ts'
import { sharedNotes } from '#src/frame/sharedValue.ts'
import { useSession } from '#src/session/useSession.ts'

import { NO_GRID } from './gridColumns.ts'
import type { GridLayout } from './gridColumns.ts'

/**
 * How people arranged the grids of pages on this device, and the views that they saved. It is beside the preferences,
 * in unencrypted storage: what was typed to filter a text is not kept, because it may name a person.
 */

const KEY = 'zhenglu.grids'

const layout = z.object({
  hidden: z.array(z.string()),
  order: z.array(z.string()),
  pinned: z.array(z.string()),
})
const sort = z.nullable(
  z.object({
    by: z.union([z.object({ key: z.enum(databaseKeys) }), z.object({ column: z.string() })]),
    down: z.boolean(),
  }),
)
const view = z.object({
  id: z.string(),
  name: z.string(),
  layout,
  sort,
  filters: z.array(z.object({ column: z.string(), test: answerTest })),
  centerId: z.nullable(z.string()),
  folderId: z.nullable(z.string()),
  status: z.nullable(z.enum(databaseStatuses)),
  searchId: z.nullable(z.string()),
})
const notes = z.object({ layout, views: z.array(view) })

export type GridView = z.infer<typeof view>

const shared = sharedNotes(KEY, notes)

/** What the signed-in person arranged in the grid of a page or table. @param grid its name in the storage */
export function useGridMemory(grid: string) {
  const { current } = useSession()
  const place = `${current.state === 'open' ? current.user.userId : ''} ${grid}`
  const own = shared.use()[place]
  return useMemo(() => {
    const { layout: kept, views }: { readonly layout: GridLayout; readonly views: readonly GridView[] } = own ?? {
      layout: NO_GRID,
      views: [],
    }
    const note = (change: { readonly layout?: GridLayout; readonly views?: readonly GridView[] }) => {
      const { layout: to = kept, views: all = views } = change
      const { hidden, order, pinned } = to
      shared.set({
        ...shared.get(),
        [place]: { layout: { hidden: [...hidden], order: [...order], pinned: [...pinned] }, views: [...all] },
      })
    }
    return { layout: kept, views, note }
  }, [own, place])
}
