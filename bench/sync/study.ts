import type { PageOption } from '#core/form/definition/column.ts'
import { FIRST_REPEAT } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget, ItemChange, JournalStep } from '#core/sync/entryChange.ts'

import { GATE, formOption } from '../forms/definition.ts'

/**
 * The measured study: ten pages of forty items each, and what a coordinator enters on one. The same on tablet and
 * server.
 */

export const PAGES = 10
export const ITEMS = 40

/** Every page: forty items, two of them calculated, some shown by a rule (bench/forms/definition.ts). */
export const PAGE_OPTION: PageOption = formOption(ITEMS)

/** The ids of the study on the server. */
export interface StudyIds {
  readonly projectId: string
  readonly versionId: string
  readonly centerId: string
  readonly folderId: string
  readonly pageIds: readonly string[]
}

/** What a person changed on a page, as `EntryChange` holds it. */
export interface PageSave {
  readonly target: EntryTarget
  readonly items: ItemChange[]
  readonly journal: JournalStep[]
}

/** The entry target of one of a patient's pages. */
export function targetOf({ folderId, pageIds }: StudyIds, patientId: string, page: number): EntryTarget {
  const pageId = pageIds[page]
  if (pageId === undefined) throw new RangeError(`the study has no page ${page}`)
  return {
    patientId,
    folderId,
    folderRepeat: FIRST_REPEAT,
    pageId,
    pageRepeat: FIRST_REPEAT,
    parentEntryId: null,
    pass: 1,
  }
}

/**
 * A first save of a page: its first `count` items filled in one after the other, a few seconds each, every step in the
 * journal.
 *
 * @param random between 0 and 1; a seeded one gives the same page again
 * @param count how many of the forty items
 */
export function filledPage(
  target: EntryTarget,
  random: () => number,
  startedAt: number,
  count: number = ITEMS,
): PageSave {
  const values = pageValues(random).slice(0, count)
  let at = startedAt
  const journal = values.map(([code, value]): JournalStep => {
    at += Math.round(1500 + random() * 9000)
    return { table: null, rid: null, code, from: NOTHING, to: { value, missing: null }, at: new Date(at).toISOString() }
  })
  const items = journal.map(({ code, to }): ItemChange => ({
    table: null,
    rid: null,
    code,
    to,
    base: NOTHING,
    isShow: 1,
    reason: null,
  }))
  return { target, items, journal }
}

const NOTHING = { value: null, missing: null }

const WORDS = [
  '胸闷',
  '心悸',
  '气短',
  '乏力',
  '头晕',
  '纳差',
  '口干',
  '失眠',
  '自汗',
  '畏寒',
  '便溏',
  '舌淡红',
  '苔薄白',
  '脉细',
  '活动后加重',
  '休息后缓解',
]

/**
 * Items that a person enters, in reading order: all except the calculated ones. The choice that shows the second block
 * comes with its block.
 */
export function pageValues(random: () => number): readonly (readonly [code: string, value: JsonValue])[] {
  const upTo = (most: number): number => Math.floor(random() * (most + 1))
  const words = (most: number): string =>
    Array.from({ length: 1 + upTo(most) }, () => WORDS[upTo(WORDS.length - 1)]).join('、')
  const day = (): string => new Date(Date.UTC(2025, 0, 1) + upTo(600) * 86_400_000).toISOString().slice(0, 10)
  return [0, 20].flatMap((first) => {
    const rows: readonly (readonly [number, JsonValue])[] = [
      [0, '1'],
      [1, upTo(900)],
      [2, upTo(400) / 10],
      [3, upTo(200)],
      [5, String(upTo(11))],
      [6, day()],
      [7, [...new Set([upTo(4), upTo(4)])].toSorted((a, b) => a - b).map(String)],
      [8, `${words(5)}。${words(4)}。`],
      [9, String(upTo(2))],
      [10, words(2)],
      [11, `${90 + upTo(60)}/${55 + upTo(40)}`],
      [12, words(3)],
      [13, words(1)],
      [14, words(2)],
      [15, upTo(150)],
      [16, day()],
      [17, String(upTo(7))],
      [18, words(2)],
      [19, first === 0 ? '1' : String(upTo(1))],
    ]
    return rows.map(([at, value]) => [first + at === 19 ? GATE : `f${first + at}`, value] as const)
  })
}

/** A seeded source of numbers between 0 and 1 (mulberry32). */
export function seedRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
