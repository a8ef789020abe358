import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'

/** The second pass of a patient: nobody has begun it, it is entered, or it was merged into the first. */
export const secondPassStates = ['none', 'open', 'merged'] as const
export type SecondPassState = (typeof secondPassStates)[number]

export type SecondPassAction = 'open' | 'destroy' | 'merge'

const allowed: Readonly<Record<SecondPassState, readonly SecondPassAction[]>> = {
  none: ['open'],
  // Given up, it may be begun again; merged, it is part of what was decided.
  open: ['destroy', 'merge'],
  merged: [],
}

export function mayDoWithSecondPass(state: SecondPassState, action: SecondPassAction): boolean {
  return allowed[state].includes(action)
}

type EntryPlace = Omit<EntryTarget, 'pass' | 'patientId'>

/** The entries of both passes for one place in a casebook; null where a pass has none. */
export interface EntryPair<Entry extends EntryPlace> {
  readonly first: Entry | null
  readonly second: Entry | null
}

/**
 * Which entry of the first pass is which of the second. What the schedule defines is the same place in both; repeats
 * that people made have ids of their own in each pass, and are paired in the order in which they were made.
 */
export function pairEntries<Entry extends EntryPlace>(
  first: readonly Entry[],
  second: readonly Entry[],
): readonly EntryPair<Entry>[] {
  const pages = new Map<string, { readonly first: Entry[]; readonly second: Entry[] }>()
  for (const [entries, side] of [
    [first, 'first'],
    [second, 'second'],
  ] as const) {
    for (const entry of entries.toSorted(byRepeat)) {
      const key = [entry.folderId, entry.folderRepeat, entry.pageId, entry.pageRepeat === FIRST_REPEAT].join('|')
      const page = pages.get(key) ?? { first: [], second: [] }
      page[side].push(entry)
      pages.set(key, page)
    }
  }
  return [...pages.values()].flatMap((page) =>
    Array.from({ length: Math.max(page.first.length, page.second.length) }, (_, at) => ({
      first: page.first[at] ?? null,
      second: page.second[at] ?? null,
    })),
  )
}

/** Repeats are named by ids that are in the order in which they were made. */
function byRepeat(a: EntryPlace, b: EntryPlace): number {
  return a.pageRepeat < b.pageRepeat ? -1 : a.pageRepeat > b.pageRepeat ? 1 : 0
}
