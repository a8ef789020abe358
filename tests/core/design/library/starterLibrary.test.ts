import { describe, expect, it } from 'vitest'
import { typedCode } from '#core/wire/shapes.ts'
import { starterLibrary } from '#core/design/library/starterLibrary.ts'
import type { LibraryPage } from '#core/design/library/libraryPage.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { compilePage } from '#core/form/compiled/compile.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'

function modelOf({ option }: LibraryPage): PageModel {
  const parsed = parsePage(JSON.stringify(option))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  return parsed.page
}

const fieldsOf = (page: LibraryPage): readonly Field[] =>
  modelOf(page).fields.flatMap((field) => [field, ...field.children])

/** A page with these values in it. */
function filled(id: string, values: Readonly<Record<string, JsonValue>>): FormState {
  const page = starterLibrary.find((one) => one.id === id)
  if (page === undefined) throw new Error(`there is no page ${id}`)
  const result = compilePage(modelOf(page))
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  const state = createFormState(
    result.compiled,
    { values: {}, missing: {} },
    { moment: { today: '2026-03-01', now: '2026-03-01 09:00:00' }, readOnly: false },
  )
  for (const [prop, value] of Object.entries(values)) state.setValue(prop, value)
  return state
}

/** Ids of the checks that speak up, once all is asked for. */
function told(state: FormState): readonly string[] {
  state.validate()
  return state.compiled.page.fields
    .flatMap(({ code }) => state.getCell(code)?.issues ?? [])
    .flatMap((issue) => (issue.code === 'check' ? [issue.id] : issue.code === 'required' ? [] : [issue.code]))
}

it('the library has the pages that every study and those of Chinese medicine begin with', () => {
  expect(starterLibrary.map(({ id, part }) => `${id} ${part}`)).toEqual([
    'lib-DM general',
    'lib-VS general',
    'lib-TCM tcm',
    'lib-SYN tcm',
    'lib-LB general',
    'lib-CM general',
    'lib-AE general',
    'lib-DS general',
  ])
})

describe.each(starterLibrary.map((page) => [page.id, page] as const))('%s', (_id, page) => {
  it('is read and compiled without a problem', () => {
    const result = compilePage(modelOf(page))
    expect(result.ok ? [] : result.errors).toEqual([])
    expect(fieldsOf(page).length).toBeGreaterThan(8)
  })

  it('has codes as a designer takes them, each once', () => {
    const codes = fieldsOf(page).map(({ code }) => code)
    expect(codes.filter((code) => !typedCode.safeParse(code).success)).toEqual([])
    expect(new Set(codes).size).toBe(codes.length)
    expect(typedCode.safeParse(page.pageCode).success).toBe(true)
  })

  it('says everything in both languages', () => {
    const chinese = /\p{Script=Han}/u
    const fields = fieldsOf(page)
    const flat = (choices: readonly Choice[]): readonly Choice[] =>
      choices.flatMap((choice) => [choice, ...flat(choice.children)])
    const english = [
      page.name.en,
      page.about.en,
      ...fields.map(({ labelEn }) => labelEn ?? '—'),
      ...fields.flatMap(({ choices }) => flat(choices).map(({ labelEn }) => labelEn ?? '—')),
      ...fields.flatMap(({ checks }) => checks.map(({ message }) => message.en ?? '—')),
      ...(page.option.group ?? []).map(({ labelEn }) => labelEn ?? '—'),
    ]
    expect(english.filter((words) => words === '—' || words.trim() === '' || chinese.test(words))).toEqual([])
    expect(fields.filter(({ label, code }) => label === code || !chinese.test(label))).toEqual([])
    expect((page.option.group ?? []).filter(({ label }) => !chinese.test(label))).toEqual([])
    // Their units are signs, and nothing is said under a label.
    expect(fields.filter(({ note, unit }) => note !== null || chinese.test(unit ?? ''))).toEqual([])
  })

  it('has ids of checks that stand once', () => {
    const ids = fieldsOf(page).flatMap(({ checks }) => checks.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the rules of the library', () => {
  it('work out age, body mass index and the score of the syndrome', () => {
    expect(filled('lib-DM', { RFICDAT: '2026-02-01', BRTHDAT: '1960-02-02' }).getCell('AGE')?.value).toBe(65)
    expect(filled('lib-VS', { VSPERF: 'Y', HEIGHT: 165, WEIGHT: 62.5 }).getCell('BMI')?.value).toBe(23)
    const scale = filled('lib-SYN', {
      SYNFATIGUE: '4',
      SYNBREATH: '2',
      SYNSWEAT: '6',
      SYNSPEECH: '1',
      SYNDIZZY: '0',
      SYNAPPETITE: '3',
      SYNSTOOL: '0',
    })
    expect(['SYNMAIN', 'SYNSECOND', 'SYNTOTAL', 'SYNGRADE'].map((prop) => scale.getCell(prop)?.value)).toEqual([
      12,
      4,
      16,
      '2',
    ])
  })

  it('ask for the reason where nothing was measured, and for nothing else', () => {
    const visible = (state: FormState, ...props: readonly string[]) => props.map((prop) => state.getCell(prop)?.visible)
    expect(visible(filled('lib-VS', { VSPERF: 'N' }), 'VSREASND', 'VSDAT', 'SYSBP')).toEqual([true, false, false])
    expect(visible(filled('lib-LB', { LBPERFHEM: 'Y' }), 'LBREASNDHEM', 'LBORRESWBC', 'LBORRESALT')).toEqual([
      false,
      true,
      false,
    ])
    expect(visible(filled('lib-CM', { CMYN: 'N' }), 'CM')).toEqual([false])
    expect(visible(filled('lib-AE', { AEONGO: 'N', AESER: 'N' }), 'AEENDAT', 'AESERCRIT')).toEqual([true, false])
  })

  it('speak up at what cannot be, and at what contradicts itself', () => {
    expect(told(filled('lib-VS', { VSPERF: 'Y', SYSBP: 80, DIABP: 90 }))).toEqual(
      expect.arrayContaining(['implausible-low', 'DIABPBelow']),
    )
    expect(told(filled('lib-VS', { VSPERF: 'Y', TEMP: 50 }))).toContain('above')
    expect(told(filled('lib-TCM', { PULSEALL: ['1', '2'], COATQUAL: ['1', '2'] }))).toEqual(
      expect.arrayContaining(['PULSEALLAlone', 'COATQUALThick']),
    )
    expect(
      told(filled('lib-AE', { AESTDAT: '2026-02-10', AEONGO: 'N', AEENDAT: '2026-02-09', AESER: 'N', AEOUT: 'FATAL' })),
    ).toEqual(expect.arrayContaining(['AEENDATOrder', 'AEOUTFatal']))
    expect(told(filled('lib-DS', { DSSTDAT: '2026-03-02' }))).toEqual(['DSSTDATFuture'])
    expect(
      told(
        filled('lib-VS', { VSPERF: 'Y', VSDAT: '2026-03-01', TEMP: 36.5, PULSE: 72, RESP: 16, SYSBP: 120, DIABP: 80 }),
      ),
    ).toEqual([])
  })
})
