import { sharedValue } from '#src/frame/sharedValue.ts'

/**
 * How far each person is with the guide, on this device. It contains nothing of the study but ids in addresses, so it
 * may be in unencrypted storage.
 */

export const guideSteps = ['open', 'type', 'kept', 'submit', 'trail'] as const
export type GuideStep = (typeof guideSteps)[number]

export interface GuideProgress {
  readonly step: GuideStep
  /** The page that the person opened; null before. */
  readonly page: string | null
}

/** `over`: the person has finished the guide or closed it for good, or it is not for them. */
export type Guiding = GuideProgress | 'over'

const KEY = 'zhenglu.guide'
/** Of a device that many people use, those who came last are remembered. */
const MOST_PEOPLE = 20

const shared = sharedValue<Readonly<Record<string, Guiding>>>(KEY, read)

/** How far a person is; undefined where nobody has asked yet whether the guide is for them. */
export function useGuiding(userId: string): Guiding | undefined {
  return shared.use()[userId]
}

/** Keeps how far a person is, for all tabs. */
export function keepGuiding(userId: string, guiding: Guiding): void {
  const { [userId]: _before, ...others } = shared.get()
  shared.set({ ...Object.fromEntries(Object.entries(others).slice(1 - MOST_PEOPLE)), [userId]: guiding })
}

/** The step after another; `over` after the last. */
export function nextStep(step: GuideStep): GuideStep | 'over' {
  return guideSteps[guideSteps.indexOf(step) + 1] ?? 'over'
}

function read(stored: unknown): Readonly<Record<string, Guiding>> {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {}
  return Object.fromEntries(
    Object.entries(stored).flatMap(([userId, guiding]: [string, unknown]): [string, Guiding][] => {
      const known = readGuiding(guiding)
      return known === null ? [] : [[userId, known]]
    }),
  )
}

function readGuiding(stored: unknown): Guiding | null {
  if (stored === 'over') return 'over'
  if (typeof stored !== 'object' || stored === null) return null
  const { step, page } = stored as Partial<Record<keyof GuideProgress, unknown>>
  const known = guideSteps.find((one) => one === step)
  return known === undefined ? null : { step: known, page: typeof page === 'string' && isPage(page) ? page : null }
}

/** Only addresses of our own pages are kept and led to. */
function isPage(address: string): boolean {
  return /^\/eCRF\/[0-9a-f-]{36}\/page\/[0-9a-f-]{36}(?:\?[\w&=.-]*)?$/.test(address)
}

/** The page that an address shows; null where it shows none. */
export function pageAt(pathname: string, search: string): string | null {
  const address = `${pathname}${search}`
  return isPage(address) ? address : null
}
