import { describe, expect, it } from 'vitest'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import { holdsData } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { toFolderRows } from '#core/design/importRows.ts'
import { soundnessProblems } from '#server/areas/version/soundness.ts'
import { demoDefinition } from '#server/demo/study/definition.ts'

/** The demo's casebook: what it asks, and what its rules say. */

const version = new CompiledVersion(demoDefinition.folders)
const MOMENT = { today: '2026-11-22', now: '2026-11-22 09:00:00' }

function compiled(folder: string, page: string): CompiledPage {
  const result = version.page({ folder, page })
  if (!result.ok) throw new Error(`${folder} ${page} cannot be compiled`)
  return result.compiled
}

function data(values: Readonly<Record<string, JsonValue>>): EntryData {
  return { values, missing: {} }
}

/** What the rules make of a page, given what is saved on others. */
function judged(
  folder: string,
  page: string,
  values: Readonly<Record<string, JsonValue>>,
  otherPages: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {},
) {
  const others = new Map(Object.entries(otherPages).map(([place, saved]) => [place, data(saved)]))
  const { data: result, hidden, issues, faults } = evaluateEntry(compiled(folder, page), data(values), MOMENT, others)
  expect(faults).toEqual([])
  return {
    values: result.values,
    hidden,
    said: issues.flatMap(({ key, issues: own }) =>
      own.flatMap((issue) =>
        issue.code === 'required' ? [] : [`${key} ${issue.code === 'check' ? issue.id : issue.code}`],
      ),
    ),
  }
}

describe('the casebook of the demo', () => {
  it('is sound: it could be published as it is', () => {
    const rows = toFolderRows(demoDefinition, { folders: new Map(), pages: new Map() })
    expect(soundnessProblems(rows, 'zh')).toEqual([])
  })

  it('has screening, baseline, three follow-ups, the end, visits that nobody planned, and what comes at any time', () => {
    expect(
      demoDefinition.folders.map(({ folderCode, pages }) => [
        folderCode,
        pages.map(({ pageCode }) => pageCode).join(' '),
      ]),
    ).toEqual([
      ['SCR', 'DM IE MH VS LB EG'],
      ['BL', 'VS TCM SYN AP QOL RND'],
      ['V1', 'VS TCM SYN AP QOL EX EFF'],
      ['V2', 'VS TCM SYN AP QOL EX EFF'],
      ['V3', 'VS TCM SYN AP QOL EX EFF LB EG'],
      ['EOS', 'DS'],
      ['UNS', 'VS EG'],
      ['LOG', 'CM AE'],
    ])
  })

  it('speaks both languages in every name, label, hint, unit and message', () => {
    const chinese = /\p{Script=Han}/u
    const inOne: string[] = []
    const both = (place: string, own: string | null, english: string | null | undefined) => {
      const said = english ?? ''
      if (chinese.test(said) || (said === '' && own !== null && chinese.test(own))) inOne.push(place)
    }
    for (const { folderCode, folderName, folderNameEn, pages } of demoDefinition.folders) {
      both(folderCode, folderName, folderNameEn)
      for (const { pageCode, pageName, pageNameEn } of pages) {
        both(pageCode, pageName, pageNameEn)
        for (const { id, label, labelEn } of compiled(folderCode, pageCode).page.sections)
          both(`${pageCode} ${id}`, label, labelEn)
        for (const field of compiled(folderCode, pageCode).page.fields.flatMap((one) => [one, ...one.children])) {
          expect(field.labelEn, `${pageCode}.${field.code}`).not.toBeNull()
          both(`${pageCode}.${field.code}`, field.note, field.noteEn)
          both(`${pageCode}.${field.code}`, field.unit, field.unitEn)
          for (const [at, mark] of field.marks.entries()) both(`${pageCode}.${field.code}`, mark, field.marksEn[at])
          for (const { value, label, labelEn } of field.choices)
            both(`${pageCode}.${field.code} ${value}`, label, labelEn)
          for (const { message } of field.checks) expect(message.en, `${pageCode}.${field.code}`).toBeDefined()
          expect(holdsData(field)).toBe(true)
        }
      }
    }
    expect(inOne).toEqual([])
  })

  it('masks who can be told by it', () => {
    const identifying = demoDefinition.folders.flatMap(({ folderCode, pages }) =>
      pages.flatMap(({ pageCode }) =>
        compiled(folderCode, pageCode)
          .page.fields.filter(({ identifier }) => identifier)
          .map(({ code }) => code),
      ),
    )
    expect([...new Set(identifying)]).toEqual(['birth', 'contact', 'phone', 'rater'])
  })
})

describe('its rules', () => {
  it('ask for the significance of a laboratory value outside of the range of that sex', () => {
    const asked = (sex: string, hgb: number): boolean =>
      !judged('V3', 'LB', { hgb }, { 'SCR/DM': { sex } }).hidden.includes('hgb_cs')
    expect([asked('1', 125), asked('1', 130), asked('2', 125), asked('2', 151)]).toEqual([true, false, false, true])
    expect(judged('SCR', 'LB', { wbc: 9.5 }).hidden).toContain('wbc_cs')
    expect(judged('SCR', 'LB', { wbc: 9.51 }).hidden).not.toContain('wbc_cs')
    expect(judged('SCR', 'LB', { wbc: 0.05, wbc_cs: '2' }).said).toEqual(['wbc below', 'wbc_cs wbc_significant'])
  })

  it('grade the syndrome by its score', () => {
    const severity = (chest: string, other: string): JsonValue | undefined => {
      const others = Object.fromEntries(
        ['palpitation', 'short_breath', 'hypochondriac', 'sighs', 'irritable', 'insomnia'].map((code) => [code, other]),
      )
      return judged('BL', 'SYN', { chest_pain: chest, chest_tightness: '2', ...others }).values['severity']
    }
    expect([severity('0', '1'), severity('2', '1'), severity('4', '2'), severity('6', '2')]).toEqual([
      '1',
      '2',
      '2',
      '3',
    ])
  })

  it('weigh a follow-up against the baseline visit, and ask where the investigator sees it otherwise', () => {
    const otherPages = {
      'BL/SYN': { total: 20 },
      'V2/SYN': { total: 13 },
      'BL/AP': { attacks: 10, nitro: '1', nitro_dose: 6 },
      'V2/AP': { attacks: 2, nitro: '0' },
    }
    const { values, said } = judged('V2', 'EFF', { judged: '1' }, otherPages)
    expect(values).toMatchObject({
      syn_index: 35,
      syn_effect: '2',
      attack_index: 80,
      attack_effect: '1',
      nitro_index: 100,
    })
    expect(said).toEqual(['judged judged'])
    expect(judged('V2', 'EFF', { judged: '2' }, otherPages).said).toEqual([])
  })

  it('work out from the capsules how well the treatment was taken', () => {
    const rate = (back: number) =>
      judged(
        'V1',
        'EX',
        { ex_from: '2026-10-01', ex_date: '2026-10-15', ex_given: 180, ex_back: back },
        { 'BL/RND': { first_dose: '2026-10-01' } },
      )
    expect(rate(12)).toMatchObject({ values: { ex_days: 14, study_day: 14, ex_taken: 168, ex_rate: 100 }, said: [] })
    expect(rate(60)).toMatchObject({ values: { ex_rate: 71.4 }, said: ['ex_rate ex_rate'] })
    expect(rate(190).said).toContain('ex_back ex_back')
  })

  it('notice what contradicts itself between pages', () => {
    expect(judged('V1', 'SYN', { chest_pain: '0' }, { 'V1/AP': { attacks: 3 } }).said).toEqual([
      'chest_pain pain_without_score',
    ])
    expect(
      judged('LOG', 'AE', { ae_any: '1', ae_start: '2026-09-30' }, { 'BL/RND': { first_dose: '2026-10-01' } }).said,
    ).toEqual(['ae_start ae_before'])
    expect(judged('EOS', 'DS', { ds_status: '1' }, { 'SCR/IE': { eligible: '2' } }).said).toEqual([
      'ds_status ds_screening',
    ])
    expect(judged('SCR', 'IE', { inc2: '1' }, { 'SCR/DM': { age: 77 } }).said).toEqual(['inc2 age_stated'])
  })

  it('ask more where there is more to say', () => {
    expect(judged('LOG', 'AE', { ae_any: '0' }).hidden).toContain('ae_term')
    expect(judged('LOG', 'AE', { ae_any: '1', ae_serious: '1' }).hidden).not.toContain('sae_reported')
    expect(judged('EOS', 'DS', { ds_status: '2', ds_reason: '6' }).hidden).not.toContain('ds_note')
    expect(judged('LOG', 'CM', { cm_any: '1' }).said).toEqual(['cm_any cm_empty'])
  })
})
