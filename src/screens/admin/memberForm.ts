import type { BodyOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'

import { mayTest } from './mayTest.ts'

type Member = BodyOf<CallOf<'member.save'>>

/** What is chosen of a member, as it stands in a dialog. */
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
 * Members of the project as a whole have no centers of their own; nor has an expert who may be given patients of any.
 */
export function hasCenters({ type, dataScope }: Pick<MemberValues, 'type' | 'dataScope'>): boolean {
  return type === 'center' || (type === 'expert' && dataScope !== 'all')
}

/** What must be chosen before a member is saved (specification §5), with the words for what is not. */
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

/** What is sent of a member; null while something is not chosen. */
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
