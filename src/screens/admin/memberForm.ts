import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'

import { mayTest } from './mayTest.ts'

type Member = BodyOf<CallOf<'member.save'>>

/** The choices for a member, as a dialog holds them. */
export interface MemberValues {
  readonly userRole: Member['userRole'] | null
  readonly type: Member['type'] | null
  readonly dataScope: Member['dataScope'] | null
  readonly centerIds: string[]
  readonly entryPass: Member['entryPass']
  readonly isTester: boolean
  readonly status: Member['status'] | null
}

export const dataScopes = ['all', 'center', 'self'] as const

export const memberStatuses = ['active', 'pause'] as const

/**
 * Whether a member has centers. Members of the whole project have none, and neither has an expert with the scope "all".
 */
export function hasCenters({ type, dataScope }: Pick<MemberValues, 'type' | 'dataScope'>): boolean {
  return type === 'center' || (type === 'expert' && dataScope !== 'all')
}

/** Checks that every required choice for a member is made (specification §5), with the words for a missing one. */
export function memberChecks(words: string) {
  const requireChoice = (value: string | null): string | null => (value === null ? words : null)
  return {
    userRole: requireChoice,
    type: requireChoice,
    dataScope: requireChoice,
    status: requireChoice,
    centerIds: (value: readonly string[], member: MemberValues): string | null =>
      hasCenters(member) && value.length === 0 ? words : null,
  }
}

/** The body of the call for a member; null while a choice is missing. */
export function memberBody(
  values: MemberValues,
  isDouble: boolean,
): Pick<Member, 'userRole' | 'type' | 'dataScope' | 'centerIds' | 'entryPass' | 'crfApprove' | 'status'> | null {
  const { userRole, type, dataScope, centerIds, entryPass, isTester, status } = values
  if (userRole === null || type === null || dataScope === null || status === null) return null
  return {
    userRole,
    type,
    dataScope,
    centerIds: hasCenters({ type, dataScope }) ? centerIds : [],
    entryPass: isDouble ? entryPass : 1,
    crfApprove: isTester && mayTest(userRole) ? 1 : 0,
    status,
  }
}
