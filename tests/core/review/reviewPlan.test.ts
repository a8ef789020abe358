import { describe, expect, it } from 'vitest'
import { newId } from '#core/ids.ts'
import { countReview, isChosen, plannedIn, reviewItems } from '#core/review/reviewPlan.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'

const CENTER = '01890000-0000-7000-8000-000000000001'
const OTHER = '01890000-0000-7000-8000-000000000002'
const PAGE = '01890000-0000-7000-8000-000000000003'
const VISIT = '01890000-0000-7000-8000-000000000004'
const LATER = '01890000-0000-7000-8000-000000000005'
const ROW = '01890000-0000-7000-8000-000000000006'
const GONE = '01890000-0000-7000-8000-000000000007'

const plan: ReviewPlan = {
  critical: [
    { pageId: PAGE, table: null, code: 'sbp' },
    { pageId: PAGE, table: 'drugs', code: 'dose' },
  ],
  sharePercent: 20,
  firstOfCenter: 0,
  folders: [VISIT],
  centers: [{ centerId: OTHER, sharePercent: 0, firstOfCenter: 3 }],
  seed: 'plan 1',
}

const patients = Array.from({ length: 2000 }, (_, at) => ({ id: newId(), centerId: CENTER, rank: at + 1 }))

describe('whom a plan chooses', () => {
  it('draws about the share that it says, and the same ones on every day', () => {
    const drawn = patients.filter((patient) => isChosen(plan, patient))
    expect(drawn.length).toBeGreaterThan(320)
    expect(drawn.length).toBeLessThan(480)
    expect(patients.filter((patient) => isChosen({ ...plan }, patient))).toEqual(drawn)
  })

  it('keeps whom it has drawn when the share grows', () => {
    const before = patients.filter((patient) => isChosen(plan, patient))
    expect(before.every((patient) => isChosen({ ...plan, sharePercent: 40 }, patient))).toBe(true)
  })

  it('draws others with another seed', () => {
    const chosen = (seed: string) => patients.map((patient) => isChosen({ ...plan, seed }, patient))
    expect(chosen('plan 1')).not.toEqual(chosen('plan 2'))
  })

  it('takes nobody at 0 % and everybody at 100 %', () => {
    expect(patients.some((patient) => isChosen({ ...plan, sharePercent: 0 }, patient))).toBe(false)
    expect(patients.every((patient) => isChosen({ ...plan, sharePercent: 100 }, patient))).toBe(true)
  })

  it('takes the first of a center where that center says so', () => {
    const there = patients.slice(0, 5).map((patient) => ({ ...patient, centerId: OTHER }))
    expect(there.map((patient) => isChosen(plan, patient))).toEqual([true, true, true, false, false])
  })
})

describe('what a plan asks for', () => {
  const nobody = { id: patients[0]?.id ?? '', centerId: OTHER, rank: 9 }
  const chosen = { ...nobody, rank: 1 }

  it('asks for the critical fields of everybody, and for nothing else of who is not chosen', () => {
    const asks = plannedIn(plan, nobody, { folderId: VISIT, pageId: PAGE })
    expect(asks({ table: null, code: 'sbp' })).toBe(true)
    expect(asks({ table: 'drugs', code: 'dose' })).toBe(true)
    expect(asks({ table: null, code: 'dose' })).toBe(false)
    expect(asks({ table: null, code: 'pulse' })).toBe(false)
    expect(plannedIn(plan, nobody, { folderId: VISIT, pageId: LATER })({ table: null, code: 'sbp' })).toBe(false)
  })

  it('asks for everything of who is chosen, in the visits that it names', () => {
    expect(plannedIn(plan, chosen, { folderId: VISIT, pageId: PAGE })({ table: null, code: 'pulse' })).toBe(true)
    expect(plannedIn(plan, chosen, { folderId: LATER, pageId: PAGE })({ table: null, code: 'pulse' })).toBe(false)
    expect(
      plannedIn({ ...plan, folders: null }, chosen, { folderId: LATER, pageId: PAGE })({ table: null, code: 'x' }),
    ).toBe(true)
  })
})

describe('what can be verified', () => {
  const data = {
    values: {
      sbp: 128,
      pulse: null,
      note: '',
      bmi: 22,
      hiddenOne: 'x',
      files: [],
      drugs: [
        { _rid: ROW, _ord: 'a', name: 'Gancao', dose: 3 },
        { _rid: GONE, _ord: 'b', _deleted: true, name: 'Danggui' },
      ],
    },
    missing: { pulse: { m: 'ND' as const, reason: 'refused' }, [`${ROW}.route`]: { m: 'UNK' as const, reason: '' } },
  }
  const all = () => true

  it('is each value that is shown, and each absence with its reason; no empty field, no deleted row', () => {
    const places = reviewItems(data, ['hiddenOne', `drugs.${ROW}.name`], all)
    expect(places).toEqual([
      { table: null, rid: null, code: 'sbp' },
      { table: null, rid: null, code: 'pulse' },
      { table: null, rid: null, code: 'bmi' },
      { table: 'drugs', rid: ROW, code: 'dose' },
      { table: 'drugs', rid: ROW, code: 'route' },
    ])
  })

  it('leaves out what nobody enters, and hidden tables as a whole', () => {
    expect(reviewItems(data, ['drugs'], ({ code }) => code !== 'bmi').map(({ code }) => code)).toEqual([
      'sbp',
      'pulse',
      'hiddenOne',
    ])
  })

  it('counts marks over what is due', () => {
    const due = reviewItems(data, [], all)
    const marks = new Map([
      ['sbp', 'verified'],
      ['pulse', 'exempt'],
      ['bmi', 'changed'],
      ['dose', 'withdrawn'],
    ] as const)
    expect(countReview(due, ({ code }) => [...marks].find(([of]) => of === code)?.[1] ?? null)).toEqual({
      due: 7,
      done: 2,
      changed: 1,
    })
  })
})
