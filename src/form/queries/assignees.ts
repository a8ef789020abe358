import { useTranslation } from 'react-i18next'
import type { QueryAssignee } from '#core/api/calls/review/query.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import type { SessionUser } from '#src/session/types.ts'
import { useSession } from '#src/session/useSession.ts'

/** To whom queries can be given, as far as whoever looks can know it now. */

/** A choice that gives a query to nobody in particular. */
const EVERYBODY = 'everybody'

export interface Assignees {
  /** Null while they are read. */
  readonly choices: readonly { readonly value: string; readonly label: string }[] | null
  /** Whether others are left out because the server cannot be asked. */
  readonly isOffline: boolean
}

/**
 * To whom all of these queries can be given. The server knows who is fit; without it one can only take a query oneself,
 * or give it back to everybody.
 */
export function useAssignees(projectId: string, views: readonly QueryView[]): Assignees {
  const { t } = useTranslation(['query', 'projects'])
  const { user, isOnline } = useReader()
  const isAsked = isOnline && areAtServer(views)
  const ids = views.map(({ query }) => query.id)
  const asOf = views.map(({ query }) => query.state).join()
  const of = useServerQuery('query.assignees', isAsked ? { body: { projectId, ids }, projectId } : null, asOf)
  if (isAsked && of.state === 'loading') return { choices: null, isOffline: false }
  const given = new Set(views.map(({ query }) => query.assigneeId ?? null))
  const everybody = given.size === 1 && given.has(null) ? [] : [{ value: EVERYBODY, label: t('assign.everybody') }]
  const mine = user !== null && canTake(views, user) ? [{ value: user.userId, label: t('assign.myself') }] : []
  const nameOf = ({ id, name, role }: QueryAssignee) =>
    id === user?.userId ? t('assign.myself') : t('assign.person', { name, role: t(`projects:role.${role}`) })
  const people = of.state === 'ready' && isAsked ? of.value.map((one) => ({ value: one.id, label: nameOf(one) })) : mine
  // Who has all of them already is no choice.
  const choices = [...everybody, ...people.filter(({ value }) => given.size > 1 || !given.has(value))]
  return { choices, isOffline: !isAsked || of.state === 'failed' }
}

/** Whether it may be that queries are given to somebody now: else the control is not shown. */
export function useCanAssign(): (views: readonly QueryView[]) => boolean {
  const { user, isOnline } = useReader()
  return (views) =>
    views.length > 0 &&
    views.every(({ acts }) => acts.includes('assign')) &&
    ((isOnline && areAtServer(views)) ||
      views.some(({ query }) => (query.assigneeId ?? null) !== null) ||
      (user !== null && canTake(views, user)))
}

/** What a choice says to the server. */
export function assigneeOf(choice: string): string | null {
  return choice === EVERYBODY ? null : choice
}

function useReader(): { readonly user: SessionUser | null; readonly isOnline: boolean } {
  const { current, reachable } = useSession()
  if (current.state !== 'open') return { user: null, isOnline: false }
  return { user: current.user, isOnline: reachable !== false && current.online }
}

function areAtServer(views: readonly QueryView[]): boolean {
  return views.every(({ query }) => query.no !== 0)
}

/** Whether somebody does what the queries wait for. An administrator of the platform is no member. */
function canTake(views: readonly QueryView[], { isAdmin, userId }: SessionUser): boolean {
  return (
    !isAdmin &&
    views.every(
      ({ query: { state, assigneeId }, acts }) =>
        assigneeId !== userId && acts.includes(state === 'answered' ? 'close' : 'answer'),
    )
  )
}
