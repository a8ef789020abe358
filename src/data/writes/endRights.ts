import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import type { EndedWhy } from '#offline/db/rows.ts'
import { isTypedIn } from '#offline/draft/typedIn.ts'
import type { DataContext } from '#src/data/rows/context.ts'

import { forgetWithdrawn } from './scopes.ts'

/** Ends what a user may do here, in the order that loses nothing: pages are closed to typing first, keys go last. */

/** The app in which the rights end. */
export interface EndingApp {
  readonly context: Pick<DataContext, 'storage' | 'user' | 'ring'>
  /** Closes the open pages of a scope to typing, at once. */
  readonly close: (scope: string, why: EndedWhy) => void
  readonly open: (scope: string) => void
  /** Writes all that was typed to the disk, as operations where possible. */
  readonly flush: () => Promise<Result<true, ApiError>>
  readonly dropKeys: (scopes: ReadonlySet<string>) => Promise<unknown>
}

/**
 * Acts on what a cycle found.
 *
 * @param withdrawn scopes that the server no longer gives to this user
 * @param isWhole whether all other scopes were served
 */
export async function followRights(app: EndingApp, withdrawn: readonly string[], isWhole: boolean): Promise<void> {
  const why = whyOf(withdrawn)
  for (const scope of withdrawn) app.close(scope, why(scope))
  const marked = await markEnded(app.context, new Map(withdrawn.map((scope) => [scope, why(scope)])), isWhole)
  if (marked.ok) for (const scope of marked.value) app.open(scope)
  // The content of an open page counts as unsent: it becomes an operation first, and the keys stay until that is sent.
  if (withdrawn.length === 0 || !(await app.flush()).ok) return
  const going: string[] = []
  for (const scope of withdrawn) if (await isLeft(scope)) going.push(scope)
  const gone = await forgetWithdrawn(app.context, going)
  if (gone.ok && gone.value.size > 0) await app.dropKeys(gone.value)
}

/**
 * How often, and how long, to wait for pages that were just closed to typing. Keys of what is still held go with a
 * later cycle.
 */
const LOOKS = 12
const LOOK_EVERY_MS = 250

async function isLeft(scope: string): Promise<boolean> {
  for (let look = 0; await isTypedIn(scope); look += 1) {
    if (look === LOOKS) return false
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS)
    })
  }
  return true
}

/** A membership that has ended takes the project's common scope with it; the loss of one center does not. */
function whyOf(withdrawn: readonly string[]): (scope: string) => EndedWhy {
  const projects = new Set(withdrawn.filter((scope) => parseScope(scope)?.kind === 'project'))
  return (scope) => (projects.has(parseScope(scope)?.projectId ?? '') ? 'membership_ended' : 'center_withdrawn')
}

/**
 * Notes on the disk which rights have ended and which go on. Other tabs, and the next start without a network, see it
 * there.
 *
 * @returns scopes in which the user may work
 */
async function markEnded(
  { storage, user, ring }: EndingApp['context'],
  ended: ReadonlyMap<string, EndedWhy>,
  isWhole: boolean,
): Promise<Result<readonly string[], ApiError>> {
  return storage.run(async ({ work }) =>
    work.transaction('rw', work.kept, async () => {
      const rows = await work.kept.where('userId').equals(user.userId).toArray()
      for (const { ended: before, ...row } of rows) {
        const { scope } = row
        const why = ended.get(scope)
        // The server was not asked about a scope without keys.
        if (why === before || (why === undefined && (!isWhole || !ring().has(scope)))) continue
        await work.kept.put(why === undefined ? row : { ...row, ended: why })
      }
      return isWhole ? rows.flatMap(({ scope }) => (ended.has(scope) || !ring().has(scope) ? [] : [scope])) : []
    }),
  )
}
