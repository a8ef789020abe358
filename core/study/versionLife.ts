/** Life of a CRF version (specification §4): draft → test → formal; a test version can go back to draft. */
export const crfProfiles = ['draft', 'test', 'formal'] as const
export type CrfProfile = (typeof crfProfiles)[number]

/** What can be done with a version. `revise` makes the next draft from a release. */
export type VersionAction = 'publishTest' | 'remove' | 'back' | 'release' | 'revise' | 'edit'

const allowed: Readonly<Record<CrfProfile, readonly VersionAction[]>> = {
  draft: ['publishTest', 'remove', 'edit'],
  test: ['back', 'release'],
  formal: ['revise'],
}

/** Whether the action is possible for a version in this profile. */
export function mayDo(profile: CrfProfile, action: VersionAction): boolean {
  return allowed[profile].includes(action)
}

/** How many testers a new project asks for before a release; each project may change this. */
export const DEFAULT_MIN_TESTERS = 2

/** Roles whose members may test a version (specification §5). */
export const testerRoles = ['CRC', 'DBD'] as const

/** Whether an active member tests the versions of their project (specification §3 crfApprove). */
export function isTester(role: string | null, crfApprove: 0 | 1 | null): boolean {
  return crfApprove === 1 && testerRoles.some((tester) => tester === role)
}

/** The texts of `crfProfileDesc`. */
export const crfProfileNames: Readonly<Record<'zh' | 'en', Readonly<Record<CrfProfile, string>>>> = {
  zh: { draft: '草稿版', test: '测试版', formal: '正式版' },
  en: { draft: 'draft', test: 'test', formal: 'release' },
}

/** One tester's judgement of a test version. result: 1 pass, 2 fail. */
export interface Approval {
  readonly userId: string
  readonly result: 1 | 2 | null
  readonly isSign: boolean
  /**
   * Whether the person is a tester today. Signatures of former testers are shown as evidence, but neither count nor
   * hold anything up.
   */
  readonly isTester: boolean
}

/** Whether a tester has passed the version and signed for it. */
export function isPassed({ result, isSign }: Pick<Approval, 'result' | 'isSign'>): boolean {
  return result === 1 && isSign
}

/**
 * Whether a test version may be released: there are at least `minTesters` current testers, and all of them have passed
 * and signed (specification §4, §5).
 */
export function approvalsComplete(approvals: readonly Approval[], minTesters: number): boolean {
  const counting = approvals.filter(({ isTester }) => isTester)
  return counting.length >= minTesters && counting.every(isPassed)
}
