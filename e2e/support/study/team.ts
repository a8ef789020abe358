import type { ProjectRole } from '#core/access/permissions.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import type { Person } from '../session.ts'
import type { Office } from './office.ts'
import type { Study } from './project.ts'

/** What an administrator gives to everybody, who has to change it. */
export const FIRST_PASSWORD = 'First-Planted-5521'
/** What everybody chooses who has no password of their own. */
export const OWN_PASSWORD = 'Own-Planted-7730'

/** Who somebody is in a study. */
export interface Member {
  readonly realName: string
  readonly userRole: Exclude<ProjectRole, 'ADMIN'>
  /** Whose patients they see: those of the only center without it. */
  readonly dataScope?: 'all' | 'center'
  /** 1 for whoever signs versions in test. */
  readonly crfApprove?: 0 | 1
  /** Which of two passes they enter. */
  readonly entryPass?: 1 | 2
  /** Without it `OWN_PASSWORD`. */
  readonly password?: string
}

/** Somebody who signs in at a screen as a person, and calls the server past it. */
export interface Colleague extends Person, ApiUser {}

/** Those who work in a study, by their accounts. */
export type Team<Account extends string> = Readonly<Record<Account, Colleague>>

/** Makes accounts with passwords of their own and members of a study of them, one after another, and signs them in. */
export async function joinTeam<Account extends string>(
  office: Office,
  study: Study,
  members: Readonly<Record<Account, Member>>,
): Promise<Team<Account>> {
  const joined: Record<string, Colleague> = {}
  for (const [account, member] of Object.entries<Member>(members)) {
    const person = await join(office, study, account, member)
    joined[account] = { ...person, ...(await signInByApi(office.address, account, person.password)) }
  }
  return joined as Team<Account>
}

/** Makes an account with a password of its own, and a member of a study of it. */
export async function join(
  { address, admin }: Office,
  { projectId, centerId }: Study,
  account: string,
  { realName, dataScope = 'center', password = OWN_PASSWORD, ...member }: Member,
): Promise<Person> {
  const { id: userId } = await admin.call<{ id: string }>('user.save', {
    body: { account, realName, password: FIRST_PASSWORD },
  })
  const centerIds = dataScope === 'all' ? [] : [centerId]
  await admin.call('member.save', {
    body: { projectId, userId, ...member, type: 'center', dataScope, centerIds, status: 'active' },
  })
  const first = await signInByApi(address, account, FIRST_PASSWORD)
  await first.call('auth.changePassword', { body: { oldPassword: FIRST_PASSWORD, newPassword: password } })
  return { account, password }
}
