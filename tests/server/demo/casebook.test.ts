import { describe, expect, it } from 'vitest'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import type { EntryEvaluation } from '#core/form/engine/evaluate.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { casebookOf } from '#server/demo/course/casebook.ts'
import { addDays } from '#server/demo/course/days.ts'
import type { EnteredPage } from '#server/demo/course/entered.ts'
import { planted } from '#server/demo/course/planted.ts'
import { roster } from '#server/demo/course/roster.ts'
import { demoDefinition } from '#server/demo/study/definition.ts'

/**
 * What the demo's subjects have, on whatever day it is made: plausible, complete where it says so, and wrong only where
 * it is meant to be.
 */

const version = new CompiledVersion(demoDefinition.folders)
const DAYS = ['2026-11-22', '2027-01-01', '2028-02-29']

/** What holds of a page in the end. */
function dataOf({ values, missing = {}, rows = {}, corrections }: EnteredPage): EntryData {
  const tables = Object.entries(rows).map(([table, list]): [string, JsonValue] => [
    table,
    list.map((cells, at) => ({ _rid: `row${at}`, _ord: `a${at}`, ...cells })),
  ])
  return {
    values: Object.assign(
      {},
      values,
      Object.fromEntries(tables),
      ...corrections.map((one) => one.values),
    ) as EntryData['values'],
    missing,
  }
}

function isSubmitted({ submit, corrections }: EnteredPage): boolean {
  return corrections.at(-1)?.submit ?? submit
}

interface Judged {
  readonly entered: EnteredPage
  readonly evaluation: EntryEvaluation
}

/** Every page of a subject under the rules, which see what was worked out on the others. */
function judgedCasebook(pages: readonly EnteredPage[], today: string): readonly Judged[] {
  const saved = new Map<string, EntryData>()
  const run = (): readonly Judged[] =>
    pages.map((entered) => {
      const result = version.page(entered)
      if (!result.ok) throw new Error(`${entered.folder} has no page ${entered.page}`)
      const evaluation = evaluateEntry(
        result.compiled,
        dataOf(entered),
        { today, now: `${today} 09:00:00` },
        saved satisfies OtherPages,
      )
      if (entered.repeat === 0) saved.set(placeKey(entered), evaluation.data)
      return { entered, evaluation }
    })
  // What one page works out another may read: the second time all of it is there.
  run()
  return run()
}

/** Everything that rules, bounds and types say of a subject's pages, but for what is still empty. */
function sayings(no: string, judged: readonly Judged[]): readonly string[] {
  return judged.flatMap(({ entered: { folder, page }, evaluation }) =>
    evaluation.issues.flatMap(({ key, issues }) =>
      issues.some(({ code }) => code !== 'required') ? [`${no} ${folder} ${page} ${key}`] : [],
    ),
  )
}

/** Whoever failed screening is told so by the pages themselves. */
const OF_FAILURES = [
  '01-007 SCR IE eligible',
  '01-007 SCR VS sbp',
  '02-005 SCR IE eligible',
  '02-005 SCR LB alt_cs',
  '02-005 SCR LB ast_cs',
  '03-007 SCR DM age',
  '03-007 SCR IE eligible',
]

describe.each(DAYS)('the subjects of a demo that was made on %s', (madeOn) => {
  const books = roster.map((subject) => ({ subject, judged: judgedCasebook(casebookOf(subject, madeOn), madeOn) }))

  it('have values that their pages accept, but for those that were planted', () => {
    const expected = planted.flatMap(({ no, folder, page, says = [] }) =>
      says.map((prop) => `${no} ${folder} ${page} ${prop}`),
    )
    expect(books.flatMap(({ subject, judged }) => sayings(subject.no, judged)).toSorted()).toEqual(
      [...expected, ...OF_FAILURES].toSorted(),
    )
  })

  it('have submitted only pages on which nothing required is empty', () => {
    for (const { subject, judged } of books) {
      for (const { entered, evaluation } of judged.filter((one) => isSubmitted(one.entered))) {
        const empty = evaluation.issues.flatMap(({ key, issues }) =>
          issues.some(({ code }) => code === 'required') ? [key] : [],
        )
        expect(empty, `${subject.no} ${entered.folder} ${entered.page}`).toEqual([])
      }
    }
  })

  it('met no rule that fails, and kept values out of sight only where they were corrected', () => {
    const out = books.flatMap(({ subject, judged }) =>
      judged.flatMap(({ entered, evaluation }) => {
        expect(evaluation.faults).toEqual([])
        return evaluation.hidden.some((prop) => evaluation.data.values[prop] !== undefined)
          ? [`${subject.no} ${entered.folder} ${entered.page}`]
          : []
      }),
    )
    expect(out.toSorted()).toEqual(
      planted
        .flatMap(({ no, folder, page, what }) => (what === 'hidden' ? [`${no} ${folder} ${page}`] : []))
        .toSorted(),
    )
  })

  it('have no day after it', () => {
    const later = books.flatMap(({ subject, judged }) =>
      judged.flatMap(({ entered }) =>
        Object.entries(dataOf(entered).values).flatMap(([code, value]) =>
          typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && value > madeOn
            ? [`${subject.no} ${entered.page}.${code} ${value}`]
            : [],
        ),
      ),
    )
    expect(later).toEqual([])
  })
})

describe('the subjects', () => {
  it('are sixty, in three centers, numbered in the order in which they came', () => {
    expect([0, 1, 2].map((center) => roster.filter((one) => one.center === center).length)).toEqual([24, 20, 16])
    for (const center of [0, 1, 2]) {
      const own = roster.filter((one) => one.center === center).map(({ daysAgo }) => daysAgo)
      expect(own).toEqual(own.toSorted((a, b) => b - a))
    }
    expect(new Set(roster.map(({ name }) => name)).size).toBe(60)
  })

  it('were drawn under different random numbers, and got different kits', () => {
    const drawn = roster.flatMap((subject) =>
      casebookOf(subject, '2026-11-22').flatMap(({ page, values }) => (page === 'RND' ? [values] : [])),
    )
    expect(drawn.length).toBeGreaterThan(45)
    for (const code of ['rnd_no', 'kit_no'])
      expect(new Set(drawn.map((values) => values[code])).size).toBe(drawn.length)
  })

  it('have the same on the same day, and the same figures on any other', () => {
    const figures = (madeOn: string) =>
      roster.map((subject) =>
        casebookOf(subject, madeOn).map((page) =>
          Object.entries(dataOf(page).values).filter(([, value]) => typeof value === 'number'),
        ),
      )
    expect(casebookOf(roster[0] as (typeof roster)[number], '2026-11-22')).toEqual(
      casebookOf(roster[0] as (typeof roster)[number], '2026-11-22'),
    )
    expect(figures('2027-06-30')).toEqual(figures('2026-11-22'))
  })

  it('have fewer attacks in the end, those under the drug more so', () => {
    const madeOn = '2026-11-22'
    const change = (verum: boolean): number => {
      const shares = roster.flatMap((subject) => {
        const at = (visit: string) =>
          casebookOf(subject, madeOn).find((page) => page.folder === visit && page.page === 'AP')?.values['attacks']
        const [before, after] = [at('BL'), at('V3')]
        return subject.verum === verum && typeof before === 'number' && typeof after === 'number'
          ? [after / before]
          : []
      })
      expect(shares.length).toBeGreaterThan(8)
      return shares.reduce((sum, share) => sum + share, 0) / shares.length
    }
    expect(change(true)).toBeLessThan(0.45)
    expect(change(false)).toBeGreaterThan(0.5)
    expect(change(false)).toBeLessThan(0.95)
  })

  it('have something due now: visits of these days are half entered, and three are late', () => {
    const madeOn = '2026-11-22'
    const due = roster.filter((subject) => {
      const pages = casebookOf(subject, madeOn)
      return subject.ending === null && pages.filter((page) => !isSubmitted(page)).length >= 2
    })
    expect(due.map(({ no }) => no)).toEqual([
      '01-016',
      '01-019',
      '01-021',
      '01-023',
      '02-012',
      '02-015',
      '02-017',
      '02-018',
      '02-019',
      '03-010',
      '03-013',
      '03-014',
      '03-016',
    ])
    const late = roster.filter(({ late: isLate }) => isLate)
    expect(late).toHaveLength(3)
    for (const subject of late) {
      expect(casebookOf(subject, madeOn).some(({ folder }) => folder === 'V2')).toBe(false)
      expect(addDays(madeOn, 33 - subject.daysAgo) < madeOn).toBe(true)
    }
  })
})
