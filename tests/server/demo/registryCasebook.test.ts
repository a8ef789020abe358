import { describe, expect, it } from 'vitest'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { placeKey } from '#core/form/compiled/version.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import type { EntryEvaluation } from '#core/form/engine/evaluate.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EnteredPage } from '#server/demo/course/entered.ts'
import { registryPages } from '#server/demo/registry/course/casebook.ts'
import { participants } from '#server/demo/registry/course/roster.ts'
import { registryDefinition } from '#server/demo/registry/study/definition.ts'
import { SYNDROMES } from '#server/demo/registry/study/formulas.ts'
import { herbDictionary } from '#server/demo/registry/study/herbs.ts'

/** What the people of the registry have: accepted by their pages, but for what is meant to be seen. */

const version = new CompiledVersion(registryDefinition.folders)
const DAYS = ['2026-11-22', '2028-02-29']

function dataOf({ values, missing = {}, rows = {}, corrections }: EnteredPage): EntryData {
  const tables = Object.entries(rows).map(([table, list]): [string, JsonValue] => [
    table,
    list.map((cells, at) => ({ _rid: `row${at}`, _ord: `a${at}`, ...cells })),
  ])
  const seen = corrections.filter(({ unseen }) => unseen !== true)
  const all: EntryData['values'] = seen.reduce((sum, one) => ({ ...sum, ...one.values }), {
    ...values,
    ...Object.fromEntries(tables),
  })
  return { values: all, missing }
}

/** Every page of the first pass under the rules, which see what was worked out on the others. */
function judged(pages: readonly EnteredPage[], today: string): readonly (readonly [EnteredPage, EntryEvaluation])[] {
  const saved = new Map<string, EntryData>()
  const run = () =>
    pages
      .filter(({ pass }) => pass !== 2)
      .map((entered): readonly [EnteredPage, EntryEvaluation] => {
        const result = version.page(entered)
        if (!result.ok) throw new Error(`${entered.folder} has no page ${entered.page}`)
        const evaluation = evaluateEntry(result.compiled, dataOf(entered), { today, now: `${today} 09:00:00` }, saved)
        if (entered.repeat === 0) saved.set(placeKey(entered), evaluation.data)
        return [entered, evaluation]
      })
  run()
  return run()
}

describe.each(DAYS)('the people of a registry that was made on %s', (madeOn) => {
  const books = participants.map((one) => ({ no: one.no, pages: judged(registryPages(one, madeOn), madeOn) }))

  it('have values that their pages accept, but for those that somebody stands by', () => {
    const said = books.flatMap(({ no, pages }) =>
      pages.flatMap(([{ folder, page }, { issues, faults }]) => {
        expect(faults).toEqual([])
        return issues.flatMap(({ key, issues: own }) =>
          own.some(({ code }) => code !== 'required') ? [`${no} ${folder} ${page} ${key}`] : [],
        )
      }),
    )
    expect(said).toEqual(['BM-002 ENR SCA hours'])
  })

  it('have submitted only pages on which nothing required is empty, and no day after it', () => {
    const wrong = books.flatMap(({ no, pages }) =>
      pages.flatMap(([entered, { issues }]) => {
        const place = `${no} ${entered.folder} ${entered.page}`
        const isEmpty = issues.some(({ issues: own }) => own.some(({ code }) => code === 'required'))
        const later = Object.values(dataOf(entered).values).filter(
          (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && value > madeOn,
        )
        return [
          ...(entered.submit && isEmpty ? [`${place} is not complete`] : []),
          ...later.map(() => `${place} is later`),
        ]
      }),
    )
    expect(wrong).toEqual([])
  })

  it('sleep better after the treatment, as the judgement says', () => {
    const completed = books.filter(({ pages }) => pages.some(([{ folder }]) => folder === 'END'))
    expect(completed.length).toBeGreaterThan(3)
    const judgements = books.flatMap(({ no, pages }) =>
      pages.flatMap(([{ page, values }, { data }]) =>
        page === 'EFF' ? [{ no, judged: values['judged'], byIndex: data.values['by_index'] }] : [],
      ),
    )
    expect(judgements.length).toBeGreaterThan(8)
    expect(judgements.filter(({ judged: said, byIndex }) => said !== byIndex)).toEqual([])
  })
})

describe('the prescriptions of the registry', () => {
  it('name only herbs of the dictionary, none twice, in doses of one packet', () => {
    const known = new Set(herbDictionary.children.map(({ dictKey }) => dictKey))
    for (const { zh, herbs } of SYNDROMES) {
      const names = herbs.map(([herb]) => herb)
      expect(new Set(names).size, `${zh} names no herb twice`).toBe(names.length)
      for (const [herb, grams] of herbs) {
        expect(known.has(herb), `${herb} is known`).toBe(true)
        expect(grams >= 1 && grams <= 30, `${herb} ${grams} g`).toBe(true)
      }
    }
  })

  it('are named in both languages, like every page, field and choice of the registry', () => {
    const chinese = /\p{Script=Han}/u
    const inOne: string[] = []
    for (const { folderCode, folderNameEn, pages } of registryDefinition.folders) {
      if (chinese.test(folderNameEn ?? '')) inOne.push(folderCode)
      for (const { pageCode, pageNameEn } of pages) {
        if (chinese.test(pageNameEn ?? '')) inOne.push(pageCode)
        const result = version.page({ folder: folderCode, page: pageCode })
        if (!result.ok) throw new Error(`${pageCode} cannot be compiled`)
        for (const field of result.compiled.page.fields.flatMap((one) => [one, ...one.children]))
          for (const [own, english] of [
            [field.label, field.labelEn],
            [field.note, field.noteEn],
            [field.unit, field.unitEn],
            ...field.choices.map(({ label, labelEn }) => [label, labelEn] as const),
          ] as const)
            if (chinese.test(english ?? '') || ((english ?? '') === '' && chinese.test(own ?? '')))
              inOne.push(`${pageCode}.${field.code} ${own ?? ''}`)
      }
    }
    expect(inOne).toEqual([])
    for (const { dictValue, labelEn } of herbDictionary.children) expect(labelEn, `${dictValue}`).not.toMatch(chinese)
  })
})
