import { describe, expect, it } from 'vitest'
import { compilePage } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import type { VersionFolder } from '#core/form/compiled/version.ts'
import { VersionPages } from '#core/form/compiled/version.ts'
import type { Column } from '#core/form/definition/column.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import { MOMENT, YES_NO, compiledIn, entry, opened } from './filling.ts'

/**
 * Rules that read the fields of other pages: of the same visit (`visit.<page>.x`) and of any (`form.<visit>.<page>.x`).
 */

const BASELINE: readonly Column[] = [
  {
    prop: 'sex',
    label: '性别',
    type: 'radio',
    dicData: [
      { value: '0', label: '女' },
      { value: '1', label: '男' },
    ],
  },
  { prop: 'fertile', label: '育龄', type: 'radio', dicData: YES_NO, zl: { show: 'page.sex == "0"' } },
  { prop: 'weight', label: '体重', type: 'number' },
]

function foldersOf(
  pages: Readonly<Record<string, readonly Column[]>>,
  folders: Readonly<Record<string, readonly string[]>>,
): readonly VersionFolder[] {
  return Object.entries(folders).map(([folderCode, codes]) => ({
    folderCode,
    pages: codes.map((pageCode) => ({ pageCode, option: JSON.stringify({ column: pages[pageCode] }) })),
  }))
}

const version = (...study: Parameters<typeof foldersOf>): VersionPages => new VersionPages(foldersOf(...study))

const STUDY_FOLDERS = foldersOf(
  {
    base: BASELINE,
    test: [
      {
        prop: 'pregnancy',
        label: '妊娠试验',
        type: 'radio',
        dicData: YES_NO,
        zl: { show: 'visit.base.fertile == "1"' },
      },
      { prop: 'dose', label: '剂量', type: 'number', zl: { calculate: 'round(form.v0.base.weight * 0.5, 1)' } },
      { prop: 'note', label: '说明', type: 'input', zl: { require: 'page.dose > form.v0.base.weight' } },
    ],
  },
  { v0: ['base', 'test'], v1: ['test'] },
)
const STUDY = new VersionPages(STUDY_FOLDERS)

const at = (folder: string, data: EntryData | null, own: EntryData = entry({})): FormState =>
  opened(compiledIn(STUDY, { folder, page: 'test' }), own, new Map(data === null ? [] : [['v0/base', data]]))

const of = (form: FormState) => ({
  pregnancy: form.getCell('pregnancy')?.visible,
  dose: form.getCell('dose')?.value,
})

describe('a rule that reads another page', () => {
  it('sees what was saved there', () => {
    expect(of(at('v0', entry({ sex: '0', fertile: '1', weight: 61 })))).toEqual({ pregnancy: true, dose: 30.5 })
    expect(of(at('v0', entry({ sex: '0', fertile: '0', weight: 70 })))).toEqual({ pregnancy: false, dose: 35 })
  })

  it('is unknown as long as nothing was', () => {
    expect(of(at('v0', null))).toEqual({ pregnancy: false, dose: null })
  })

  it('takes for missing what is hidden there, though its value is kept', () => {
    expect(of(at('v0', entry({ sex: '1', fertile: '1', weight: 61 })))).toEqual({ pregnancy: false, dose: 30.5 })
  })

  it('finds no page of the same visit where the visit does not have it', () => {
    expect(of(at('v1', entry({ sex: '0', fertile: '1', weight: 61 })))).toEqual({ pregnancy: false, dose: 30.5 })
  })

  it('runs again when that page is saved with something else, and only cells that differ are drawn again', () => {
    const form = at('v0', entry({ sex: '0', fertile: '1', weight: 61 }))
    const drawn: string[] = []
    for (const prop of ['pregnancy', 'dose', 'note']) form.subscribe(prop, () => drawn.push(prop))
    form.setOtherPages(new Map([['v0/base', entry({ sex: '0', fertile: '1', weight: 62 })]]))
    expect([of(form), drawn]).toEqual([{ pregnancy: true, dose: 31 }, ['dose']])
    form.setOtherPages(new Map())
    expect([of(form), drawn]).toEqual([{ pregnancy: false, dose: null }, ['dose', 'pregnancy', 'dose']])
  })

  it('never makes that page’s values part of this one', () => {
    const form = at('v0', entry({ sex: '0', fertile: '1', weight: 61 }))
    form.setText('note', 'x')
    expect(form.data()).toEqual(entry({ dose: 30.5, note: 'x' }))
    expect(form.changes().map(({ code }) => code)).toEqual(['dose', 'note'])
    expect(form.completeness()).toMatchObject({ total: 2, answered: 1 })
    expect(form.issues()).toEqual([])
  })

  it('gives the server the same as the tablet', () => {
    const page = compiledIn(STUDY, { folder: 'v0', page: 'test' })
    const saved = new Map([['v0/base', entry({ sex: '0', fertile: '1', weight: 61 })]])
    expect(evaluateEntry(page, entry({}), MOMENT, saved)).toMatchObject({ data: entry({ dose: 30.5 }), hidden: [] })
    expect(evaluateEntry(page, entry({}), MOMENT)).toMatchObject({ data: entry({}), hidden: ['pregnancy'] })
  })

  it('needs nothing but the pages that it names', () => {
    expect(compiledIn(STUDY, { folder: 'v0', page: 'test' }).otherPages).toEqual([{ folder: 'v0', page: 'base' }])
    expect(compiledIn(STUDY, { folder: 'v0', page: 'base' }).otherPages).toEqual([])
  })
})

describe('a version', () => {
  it('knows which pages read which', () => {
    const study = new CompiledVersion(STUDY_FOLDERS)
    expect(study.readersOf({ folder: 'v0', page: 'base' })).toEqual([
      { folder: 'v0', page: 'test' },
      { folder: 'v1', page: 'test' },
    ])
    expect(study.readersOf({ folder: 'v0', page: 'test' })).toEqual([])
    expect(study.page({ folder: 'v1', page: 'base' })).toEqual({ ok: false, unreadable: null })
  })
})

describe('pages that read each other', () => {
  const circle = (backwards: string) =>
    version(
      {
        a: [
          { prop: 'x', label: 'x', type: 'number' },
          { prop: 'y', label: 'y', type: 'number', zl: { show: 'visit.b.u == 1' } },
        ],
        b: [
          { prop: 'u', label: 'u', type: 'number', zl: { show: backwards } },
          { prop: 'w', label: 'w', type: 'number' },
        ],
      },
      { v: ['a', 'b'] },
    )

  it('are fine as long as no field waits for itself: what is typed here decides what is seen there', () => {
    const form = opened(
      compiledIn(circle('visit.a.x == 5'), { folder: 'v', page: 'a' }),
      entry({ x: 5 }),
      new Map([['v/b', entry({ u: 1 })]]),
    )
    expect(form.getCell('y')?.visible).toBe(true)
    form.setText('x', '6')
    expect(form.getCell('y')?.visible).toBe(false)
    form.setText('x', '5')
    expect(form.getCell('y')?.visible).toBe(true)
  })

  it('in a circle are refused, with its path', () => {
    const study = circle('visit.a.y == 5')
    const page = study.model('a')
    expect(page === null ? null : compilePage(page, { folder: 'v', page: 'a', version: study })).toMatchObject({
      ok: false,
      errors: [{ kind: 'cycle', path: ['y', 'v/b/u', 'y'] }],
    })
  })
})

describe('a rule that names another page', () => {
  const wrong = (when: string) => {
    const study = version(
      { base: BASELINE, here: [{ prop: 'x', label: 'x', type: 'input', zl: { show: when } }] },
      { v0: ['base', 'here'], v1: ['here'] },
    )
    const page = study.model('here')
    const result = page === null ? null : compilePage(page, { folder: 'v0', page: 'here', version: study })
    return result?.ok === false ? result.errors.map((error) => (error.kind === 'rule' ? error.problem : error)) : []
  }

  it('is wrong where the version has no such page, visit or field', () => {
    expect(wrong('visit.nowhere.x == "1"')).toMatchObject([
      { kind: 'unknown-field', code: 'visit.nowhere.x', start: 0, end: 15 },
    ])
    expect(wrong('visit.base.nothing == "1"')).toMatchObject([{ kind: 'unknown-field', code: 'visit.base.nothing' }])
    expect(wrong('form.v1.base.sex == "1"')).toMatchObject([{ kind: 'unknown-field', code: 'form.v1.base.sex' }])
    expect(wrong('form.v9.base.sex == "1"')).toMatchObject([{ kind: 'unknown-field', code: 'form.v9.base.sex' }])
  })

  it('is wrong where the types do not fit, as within a page', () => {
    expect(wrong('visit.base.sex > 1')).toMatchObject([{ kind: 'type' }])
    expect(wrong('form.v0.base.weight + 1.0')).toMatchObject([{ kind: 'wrong-result' }])
  })

  it('may not take a whole page or visit', () => {
    expect(wrong('visit.base == visit.base')).toMatchObject([{ kind: 'not-allowed', name: 'visit' }])
    expect(wrong('form["v0"].base.sex == "1"')).toMatchObject([{ kind: 'not-allowed', name: 'form' }])
  })

  it('by its own place reads its own field', () => {
    const study = version(
      {
        here: [
          { prop: 'x', label: 'x', type: 'number' },
          { prop: 'y', label: 'y', type: 'number', zl: { calculate: 'form.v0.here.x + visit.here.x' } },
        ],
      },
      { v0: ['here'] },
    )
    const form = opened(compiledIn(study, { folder: 'v0', page: 'here' }))
    form.setText('x', '4')
    expect(form.getCell('y')?.value).toBe(8)
  })
})

describe('values that are calculated from each other over several pages', () => {
  const study = (z: string) =>
    new CompiledVersion(
      foldersOf(
        {
          a: [{ prop: 'x', label: 'x', type: 'number', zl: { calculate: 'visit.b.y + 1' } }],
          b: [{ prop: 'y', label: 'y', type: 'number', zl: { calculate: 'form.v.c.z + 1' } }],
          c: [
            { prop: 'z', label: 'z', type: 'number', zl: { calculate: z } },
            { prop: 'n', label: 'n', type: 'number' },
          ],
        },
        { v: ['a', 'b', 'c'] },
      ),
    )

  it('are found as a circle, with its path: each would wait for the next to be saved, for ever', () => {
    expect(study('visit.a.x * 2').circles()).toEqual([['v/a/x', 'v/b/y', 'v/c/z', 'v/a/x']])
  })

  it('are none where a chain ends in what somebody enters', () => {
    expect(study('page.n * 2').circles()).toEqual([])
  })
})
