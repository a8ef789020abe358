import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '#core/api/errors.ts'
import { entryId, visitId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget, RowChange } from '#core/sync/entryChange.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { changedIn, direct, makeGround, pushed, stateOf } from '#tests/server/hostile/ground.ts'
import type { Attempt, Ground } from '#tests/server/hostile/ground.ts'
import { call, change, enrol, enrolment, event, item, save, visitOf, vitals } from '#tests/server/support/world.ts'

/**
 * What somebody sends who means harm, or whose program is wrong: each kind by every road, alone and in a tablet's
 * envelope. The answer is an error of the contract that says what is wrong, and nothing of it stays.
 */

let ground: Ground
let patient: string
/** A page with data, a row, and a conflict that waits. */
let target: EntryTarget
let conflictId: string
let southern: string
let foreignPatient: string
const rid = newId()
beforeAll(async () => {
  ground = await makeGround()
  const { world, foreign, foreigner, versionId } = ground
  patient = await enrol(world)
  southern = await enrol(world, world.people.south, world.study.south)
  foreignPatient = newId()
  await call(foreign, foreigner, 'patient.save', { body: enrolment(foreign, foreignPatient) })
  target = vitals(world, patient)
  const rows: RowChange[] = [
    { table: 'drugs', rid, to: { deleted: false, order: 'V' }, base: null, seen: null, reason: null },
  ]
  await save(
    world,
    world.people.lin,
    change(target, { height: 170, weight: 65, drug: item('drug', null, '甘草', { table: 'drugs', rid }) }, { rows }),
    { crfId: versionId },
  )
  const { conflicts } = await save(world, world.people.wu, change(target, { weight: 56 }), { crfId: versionId })
  conflictId = conflicts[0]?.id ?? ''
})
afterAll(() => ground.close())

type More = Partial<Omit<Attempt, 'call'>>
type Saved = Attempt & { readonly call: QueueableCall; readonly entityId: string }

const asJson = (body: object): JsonValue => body as JsonValue

/** A save of a page, whichever way it is meant. */
function saveOf(
  at: EntryTarget,
  items: Parameters<typeof change>[1],
  more: Partial<Parameters<typeof change>[2] & object> & { readonly entityId?: string } = {},
  attempt: More = {},
) {
  const { entityId = entryId(at), ...rest } = more
  return (verb: QueueableCall): Saved => ({
    who: ground.world.people.lin,
    call: verb,
    entityId,
    params: { id: entityId },
    body: asJson(change(at, items, rest)),
    ...attempt,
  })
}

const SAVES = ['entry.save', 'entry.smartSave', 'entry.submit', 'entry.insert', 'entry.smartInsert'] as const
const row = (more: Partial<RowChange> = {}): RowChange => ({
  table: 'drugs',
  rid: newId(),
  to: { deleted: false, order: 'V' },
  base: null,
  seen: null,
  reason: null,
  ...more,
})
const inRow = (value: JsonValue, of: string = rid, code = 'drug') =>
  item(code, null, value, { table: 'drugs', rid: of })
const deep = (levels: number): JsonValue => (levels === 0 ? 'x' : [deep(levels - 1)])

type Body = Readonly<Record<string, unknown>> & { readonly id?: string }

interface Case {
  readonly what: string
  readonly make: (verb: QueueableCall) => Saved
  readonly code: ErrorCode | readonly ErrorCode[]
  /** What is wrong with which field, where the error says so. */
  readonly field?: string
}

/**
 * As it must be: each attempt was refused as said, by both roads, nothing changed, and the server found no fault with
 * itself.
 */
const REFUSED = { wrong: [], changed: [], faults: [] }

/** Makes each attempt by both roads and tells what was otherwise than said. */
async function attempted(
  cases: readonly Case[],
  verbs: readonly QueueableCall[],
): Promise<{ readonly [What in keyof typeof REFUSED]: readonly string[] }> {
  const before = await stateOf(ground)
  const wrong: string[] = []
  for (const { what, make, code, field } of cases) {
    for (const verb of verbs) {
      for (const road of [direct, pushed]) {
        const ending = await road(ground, make(verb))
        const got = ending.taken ? 'taken' : ending.error.code
        const codes = typeof code === 'string' ? [code] : code
        const said = ending.taken ? [] : (ending.error.fields ?? []).map((one) => one.code)
        const isRight = codes.some((one) => one === got) && (field === undefined || said.includes(field))
        if (!isRight) wrong.push([what, verb, road.name, got, ...said].join(' · '))
      }
    }
  }
  return { wrong, changed: changedIn(before, await stateOf(ground)), faults: ground.lines }
}

describe('a page that is saved, submitted or repeated', () => {
  it('with values that its fields cannot hold', async () => {
    const values: readonly (readonly [string, string, JsonValue, string])[] = [
      ['a list for a text', 'note', ['x'], 'type'],
      ['an object for a text', 'note', { a: 1 }, 'type'],
      ['an object for a number', 'height', { valueOf: 1 }, 'type'],
      ['a truth for a number', 'height', true, 'type'],
      ['a list in a list', 'signs', [['a']], 'type'],
      ['a thousand answers and one', 'signs', Array.from({ length: 1001 }, String), 'too_long'],
      ['a million answers', 'signs', Array.from({ length: 200_000 }, () => 'a'), 'too_long'],
      ['a line that is too long', 'contact', 'x'.repeat(4001), 'too_long'],
      ['a megabyte of text', 'note', 'x'.repeat(1_000_000), 'too_long'],
      ['a number that is longer than any', 'height', '9'.repeat(4001), 'too_long'],
      ['a zero byte', 'note', 'a\u0000b', 'text'],
      ['half a character', 'note', 'a\ud800b', 'text'],
      ['a name with a zero byte', 'photos', [{ id: newId(), name: 'a\u0000.png' }], 'text'],
      ['a nest of lists', 'note', deep(80), 'too_deep'],
      ['a nest that is just not too deep', 'note', deep(50), 'type'],
      ['a file in a file', 'photos', [{ id: { id: 'x' } }], 'type'],
      ['a number for a file', 'photos', [7], 'type'],
      ['a table all at once', 'drugs', [{ _rid: newId(), _ord: 'V', drug: 'x' }], 'not_an_item'],
    ]
    expect(
      await attempted(
        values.map(([what, field, value, problem]) => ({
          what,
          make: saveOf(target, { [field]: value }),
          code: 'invalid',
          field: problem,
        })),
        SAVES,
      ),
    ).toEqual(REFUSED)
  })

  it('with fields, rows and places that are none', async () => {
    const cases: readonly Case[] = [
      {
        what: 'a field that never was',
        make: saveOf(target, { colour: 'red' }),
        code: 'invalid',
        field: 'unknown_field',
      },
      {
        what: 'a name that every object has',
        make: saveOf(target, { constructor: 'x' }),
        code: 'invalid',
        field: 'unknown_field',
      },
      {
        what: 'a field of a row that never was',
        make: saveOf(target, { x: inRow('x', rid, 'colour') }),
        code: 'invalid',
        field: 'unknown_field',
      },
      {
        what: 'a field of a table that is none',
        make: saveOf(target, { x: item('drug', null, 'x', { table: 'note', rid }) }),
        code: 'invalid',
      },
      {
        what: 'a row of nowhere',
        make: saveOf(target, { x: inRow('x', newId()) }),
        code: 'invalid',
        field: 'unknown_row',
      },
      {
        what: 'a row without its table',
        make: saveOf(target, { x: item('note', null, 'x', { rid }) }),
        code: 'invalid',
        field: 'address',
      },
      {
        what: 'a table without its row',
        make: saveOf(target, { x: item('drug', null, 'x', { table: 'drugs' }) }),
        code: 'invalid',
        field: 'address',
      },
      {
        what: 'a row of a field that is no table',
        make: saveOf(target, {}, { rows: [row({ table: 'note' })] }),
        code: 'invalid',
        field: 'unknown_field',
      },
      {
        what: 'a row that is moved and never was',
        make: saveOf(target, {}, { rows: [row({ base: { deleted: false, order: 'V' } })] }),
        code: 'invalid',
        field: 'unknown_row',
      },
      {
        what: 'an order key that is none',
        make: saveOf(target, {}, { rows: [row({ to: { deleted: false, order: '../../\u202e' } })] }),
        code: 'invalid',
        field: 'format',
      },
      {
        what: 'an order key without end',
        make: saveOf(target, {}, { rows: [row({ to: { deleted: false, order: 'z'.repeat(101) } })] }),
        code: 'invalid',
        field: 'too_long',
      },
      {
        what: 'a row with the id of no row',
        make: saveOf(target, {}, { rows: [row({ rid: 'constructor' })] }),
        code: 'invalid',
        field: 'id',
      },
      {
        what: 'six thousand changes',
        make: saveOf(target, Object.fromEntries(Array.from({ length: 5001 }, (_none, at) => [`a${at}`, 1]))),
        code: ['invalid', 'too_large'],
      },
      {
        what: 'a reason of no words',
        make: saveOf(target, { note: item('note', null, 'x', { reason: { code: 'other', text: ' ' } }) }),
        code: 'invalid',
        field: 'required',
      },
      {
        what: 'a reason without end',
        make: saveOf(target, { note: item('note', null, 'x', { reason: { code: 'other', text: 'x'.repeat(1001) } }) }),
        code: 'invalid',
        field: 'too_long',
      },
      {
        what: 'a reason why it is missing without end',
        make: saveOf(target, {
          note: item('note', null, null, { to: { value: null, missing: { m: 'ND', reason: 'x'.repeat(501) } } }),
        }),
        code: 'invalid',
        field: 'too_long',
      },
      {
        what: 'a step of a day that is none',
        make: saveOf(
          target,
          {},
          {
            journal: [
              {
                table: null,
                rid: null,
                code: 'note',
                from: { value: null, missing: null },
                to: { value: 'x', missing: null },
                at: '2026-02-30T00:00:00.000Z',
              },
            ],
          },
        ),
        code: 'invalid',
        field: 'format',
      },
    ]
    expect(await attempted(cases, SAVES)).toEqual(REFUSED)
  })

  it('of a page, a patient, a visit or a version that it cannot be of', async () => {
    const { study } = ground.world
    const other = ground.foreign.study
    const childless = { ...target, parentEntryId: newId() }
    const cases: readonly Case[] = [
      {
        what: 'a forged id',
        make: saveOf(target, { note: 'x' }, { entityId: newId() }),
        code: 'invalid',
        field: 'forged',
      },
      {
        what: 'the id of another page',
        make: saveOf(target, { note: 'x' }, { entityId: entryId(event(ground.world, patient, '0')) }),
        code: 'invalid',
        field: 'forged',
      },
      {
        what: 'a patient who never was',
        make: saveOf(vitals(ground.world, newId()), { note: 'x' }),
        code: 'not_found',
      },
      {
        what: 'a patient of another center',
        make: saveOf(vitals(ground.world, southern), { note: 'x' }),
        code: 'not_found',
      },
      {
        what: 'a patient of another project',
        make: saveOf(vitals(ground.world, foreignPatient), { note: 'x' }),
        code: 'not_found',
      },
      {
        what: 'a page of another project',
        make: saveOf({ ...target, pageId: other.vitalsId }, { note: 'x' }),
        code: 'invalid',
        field: 'unknown_page',
      },
      {
        what: 'a folder of another project',
        make: saveOf({ ...target, folderId: other.folderId }, { note: 'x' }),
        code: 'invalid',
        field: 'unknown_page',
      },
      {
        what: 'another project',
        make: saveOf(target, { note: 'x' }, {}, { projectId: other.projectId }),
        code: 'not_found',
      },
      {
        what: 'a project that never was',
        make: saveOf(target, { note: 'x' }, {}, { projectId: newId() }),
        code: 'not_found',
      },
      {
        what: 'a version of another project',
        make: saveOf(target, { note: 'x' }, {}, { crfId: other.versionId }),
        code: 'invalid',
        field: 'unknown_version',
      },
      {
        what: 'a version that is not released',
        make: saveOf(target, { note: 'x' }, {}, { crfId: ground.draftId }),
        code: 'invalid',
        field: 'not_released',
      },
      {
        what: 'no version',
        make: saveOf(target, { note: 'x' }, {}, { crfId: null }),
        code: 'invalid',
        field: 'required',
      },
      {
        what: 'another pass in its words',
        make: saveOf({ ...target, pass: 2 }, { note: 'x' }),
        code: ['invalid', 'forbidden'],
      },
      { what: 'another pass', make: saveOf({ ...target, pass: 2 }, { note: 'x' }, {}, { pass: 2 }), code: 'forbidden' },
      {
        what: 'a visit that nobody made',
        make: saveOf({ ...target, folderRepeat: newId() }, { note: 'x' }),
        code: 'invalid',
        field: 'unknown_visit',
      },
      {
        what: 'a visit that looks like an id',
        make: saveOf({ ...target, folderRepeat: '-'.repeat(36) }, { note: 'x' }),
        code: 'invalid',
        field: 'unknown_visit',
      },
      {
        what: 'a repeat of what is not repeated',
        make: saveOf({ ...target, pageRepeat: newId() }, { note: 'x' }),
        code: 'invalid',
        field: 'not_repeatable',
      },
      {
        what: 'a repeat that looks like an id',
        make: saveOf({ ...event(ground.world, patient, '-'.repeat(36)) }, { term: 'x' }),
        code: 'invalid',
      },
      { what: 'a page below one that never was', make: saveOf(childless, { note: 'x' }), code: 'not_found' },
      {
        what: 'by somebody of another center',
        make: saveOf(target, { note: 'x' }, {}, { who: ground.world.people.south }),
        code: 'not_found',
      },
      {
        what: 'by somebody of another project',
        make: saveOf(target, { note: 'x' }, {}, { who: ground.foreigner }),
        code: 'not_found',
      },
      {
        what: 'by who only reads',
        make: saveOf(target, { note: 'x' }, {}, { who: ground.world.people.monitor }),
        code: 'forbidden',
      },
      {
        what: 'by nobody of any project',
        make: saveOf(target, { note: 'x' }, {}, { who: ground.world.people.stranger }),
        code: 'not_found',
      },
    ]
    expect(await attempted(cases, SAVES)).toEqual(REFUSED)
    expect(study.projectId).not.toBe(other.projectId)
  })

  it('under a version of before is taken as what it is: a field that the version has not is no field of it', async () => {
    const attempt = saveOf(
      vitals(ground.world, await enrol(ground.world)),
      { card: 'A1' },
      {},
      { crfId: ground.world.study.versionId },
    )
    for (const road of [direct, pushed])
      expect(await road(ground, attempt('entry.save'))).toMatchObject({ taken: true })
  })

  it('with one row named twice holds it once', async () => {
    const at = vitals(ground.world, await enrol(ground.world))
    const twice = newId()
    const rows = [row({ rid: twice }), row({ rid: twice, to: { deleted: false, order: 'W' } })]
    const items = { a: inRow('甘草', twice), b: { ...inRow('川芎', twice), base: { value: '甘草', missing: null } } }
    const ending = await direct(ground, saveOf(at, items, { rows })('entry.save'))
    expect(ending).toMatchObject({
      taken: true,
      result: { entry: { values: { drugs: [{ _rid: twice, _ord: 'W', drug: '川芎' }] } } },
    })
  })

  it('that names a key of somebody else, or again for something else', async () => {
    const { people } = ground.world
    const key = newId()
    const first = saveOf(target, { note: 'once' }, {}, { key })('entry.save')
    expect((await direct(ground, first)).taken).toBe(true)
    const again: readonly Case[] = [
      { what: 'another body', make: saveOf(target, { note: 'twice' }, {}, { key }), code: 'key_reused' },
      {
        what: 'another author',
        make: saveOf(target, { note: 'once' }, {}, { key, who: people.wu }),
        code: 'key_reused',
      },
    ]
    expect(await attempted(again, ['entry.save', 'entry.submit'])).toEqual(REFUSED)
  })
})

describe('a page that is deleted, and a conflict that is decided', () => {
  it('that are none, or another’s', async () => {
    const reason = { code: 'clarification', text: '' }
    const removal =
      (more: object = {}, attempt: More & { readonly entityId?: string } = {}) =>
      (): Saved => {
        const body = { target, seenRev: 1, reason, ...more }
        const { entityId = entryId(body.target), ...rest } = attempt
        return {
          who: ground.world.people.lin,
          call: 'entry.delete',
          entityId,
          query: { id: entityId },
          body: asJson(body),
          ...rest,
        }
      }
    const answers = await attempted(
      [
        { what: 'a forged id', make: removal({}, { entityId: newId() }), code: 'invalid', field: 'forged' },
        {
          what: 'a page of which nothing is saved',
          make: removal({ target: event(ground.world, patient, newId()) }),
          code: 'not_found',
        },
        {
          what: 'a patient of another center',
          make: removal({ target: vitals(ground.world, southern) }),
          code: 'not_found',
        },
        {
          what: 'a patient of another project',
          make: removal({ target: vitals(ground.world, foreignPatient) }),
          code: 'not_found',
        },
        { what: 'another pass', make: removal({ target: { ...target, pass: 2 } }, { pass: 2 }), code: 'forbidden' },
        { what: 'a revision that no number holds', make: removal({ seenRev: 1e300 }), code: 'invalid' },
        { what: 'without a reason', make: removal({ reason: null }), code: 'invalid' },
      ],
      ['entry.delete'],
    )
    expect(answers).toEqual(REFUSED)
    const content = (value: JsonValue) => ({ value, missing: null })
    const decision =
      (more: object = {}, attempt: More = {}) =>
      (): Saved => {
        const body = { target, conflictId, choice: 'new', seen: content(65), to: content(60), reason, ...more }
        return {
          who: ground.world.people.lin,
          call: 'conflict.resolve',
          entityId: entryId(body.target),
          params: { id: entryId(body.target) },
          body: asJson(body),
          ...attempt,
        }
      }
    const decisions = await attempted(
      [
        {
          what: 'a conflict that never was',
          make: decision({ conflictId: newId() }),
          code: 'invalid',
          field: 'unknown_conflict',
        },
        {
          what: 'of another page',
          make: decision({ target: event(ground.world, patient, '0') }),
          code: ['invalid', 'not_found'],
        },
        {
          what: 'a choice that nobody offered',
          make: decision({ choice: 'mine', to: content(57) }),
          code: 'invalid',
          field: 'choice',
        },
        {
          what: 'a value that the field cannot hold',
          make: decision({ to: content({ a: 1 }) }),
          code: 'invalid',
          field: 'type',
        },
        { what: 'a choice that is none', make: decision({ choice: 'all' }), code: 'invalid', field: 'value' },
        {
          what: 'by somebody of another center',
          make: decision({}, { who: ground.world.people.south }),
          code: 'not_found',
        },
      ],
      ['conflict.resolve'],
    )
    expect(decisions).toEqual(REFUSED)
  })
})

describe('a patient', () => {
  it('who is none, is another’s, or is said to be what nobody can be', async () => {
    const { projectId, north, south } = ground.world.study
    const of =
      (verb: QueueableCall, body: Body, attempt: More & { readonly entityId?: string } = {}) =>
      (): Saved => {
        const { entityId = body.id ?? patient, ...rest } = attempt
        return { who: ground.world.people.lin, call: verb, entityId, body: asJson(body), ...rest }
      }
    const enrolled = (more: object) => of('patient.save', { ...enrolment(ground.world, newId()), ...more })
    const person = (more: object) =>
      enrolled({ identity: { name: null, mobile: null, email: null, birthDate: null, ...more } })
    const changed = (field: string, to: JsonValue, more: object = {}, attempt = {}) =>
      of(
        'patient.update',
        { id: patient, projectId, fields: [{ field, to, base: null }], reason: null, ...more },
        attempt,
      )
    const reason = { code: 'other', text: '误入组' }
    const answers = await attempted(
      [
        {
          what: 'a center of another project',
          make: enrolled({ centerId: ground.foreign.study.north }),
          code: ['not_found', 'invalid'],
        },
        { what: 'a center that is not theirs', make: enrolled({ centerId: south }), code: ['not_found', 'forbidden'] },
        { what: 'a center that never was', make: enrolled({ centerId: newId() }), code: ['not_found', 'invalid'] },
        {
          what: 'a number that nobody gave out',
          make: enrolled({ no: 'N01-777' }),
          code: 'invalid',
          field: 'not_leased',
        },
        { what: 'a number with a zero byte', make: enrolled({ no: 'N\u0000' }), code: 'invalid' },
        { what: 'a day that is none', make: enrolled({ enrolledOn: '2026-02-30' }), code: 'invalid', field: 'format' },
        { what: 'a day of the year 0', make: enrolled({ enrolledOn: '0000-01-01' }), code: 'invalid' },
        { what: 'a mark that is none', make: enrolled({ mark: 'XYZ!' }), code: 'invalid', field: 'format' },
        {
          what: 'a name without end',
          make: person({ name: 'x'.repeat(1_000_000) }),
          code: 'invalid',
          field: 'too_long',
        },
        { what: 'a name of half characters', make: person({ name: '\udfff' }), code: 'invalid' },
        {
          what: 'an id that is enrolled already',
          make: enrolled({ id: patient, centerId: north }),
          code: 'already_exists',
        },
        { what: 'an id of another project’s patient', make: enrolled({ id: foreignPatient }), code: 'already_exists' },
        {
          what: 'another project in its words',
          make: enrolled({ projectId: ground.foreign.study.projectId }),
          code: ['invalid', 'not_found'],
        },
        { what: 'an id that is none', make: enrolled({ id: 'constructor' }), code: 'invalid', field: 'id' },
        { what: 'a field that is none', make: changed('rev', '1'), code: 'invalid', field: 'value' },
        { what: 'a sex that is none', make: changed('sex', 'X'), code: 'invalid', field: 'type' },
        {
          what: 'a day of enrolment that is none',
          make: changed('enrolledOn', '2026-13-01'),
          code: 'invalid',
          field: 'type',
        },
        { what: 'initials without end', make: changed('initials', 'x'.repeat(21)), code: 'invalid', field: 'too_long' },
        { what: 'a change of nobody', make: changed('initials', 'A', { id: newId() }), code: 'not_found' },
        { what: 'a change of another center’s', make: changed('initials', 'A', { id: southern }), code: 'not_found' },
        {
          what: 'a change of another project’s',
          make: changed('initials', 'A', { id: foreignPatient }),
          code: 'not_found',
        },
        {
          what: 'by who only reads',
          make: changed('initials', 'A', {}, { who: ground.world.people.monitor }),
          code: 'forbidden',
        },
        {
          what: 'a removal of another center’s',
          make: of('patient.remove', { id: southern, projectId, reason }),
          code: 'not_found',
        },
        {
          what: 'a removal of another project’s',
          make: of('patient.remove', { id: foreignPatient, projectId, reason }),
          code: 'not_found',
        },
        {
          what: 'a removal without words',
          make: of('patient.remove', { id: patient, projectId, reason: { code: 'other', text: '' } }),
          code: 'invalid',
          field: 'required',
        },
      ],
      ['patient.save'],
    )
    expect(answers).toEqual(REFUSED)
  })
})

describe('a visit', () => {
  it('that is none, is another’s, or is said to have been when it cannot', async () => {
    const { study } = ground.world
    const of =
      (verb: QueueableCall, body: Body, attempt: More & { readonly entityId?: string } = {}) =>
      (): Saved => {
        const { entityId = body.id ?? '', ...rest } = attempt
        return {
          who: ground.world.people.lin,
          call: verb,
          entityId,
          params: { id: entityId },
          body: asJson(body),
          ...rest,
        }
      }
    const said = (field: string, to: string | null, more: object = {}, attempt = {}) =>
      of(
        'visit.save',
        { ...visitOf(ground.world, patient), fields: [{ field, to, base: null }], reason: null, ...more },
        attempt,
      )
    const ofOther = (patientId: string) => ({
      ...visitOf(ground.world, patientId),
      fields: [{ field: 'actualDate', to: '2026-11-02', base: null }],
      reason: null,
    })
    const folder = { projectId: study.projectId, patientId: patient, folderId: study.folderId }
    const id = visitId({ patientId: patient, folderId: study.folderId, folderRepeat: '0' })
    const nowhere = newId()
    const reason = { code: 'other', text: '录错' }
    const answers = await attempted(
      [
        { what: 'a day that is none', make: said('actualDate', '2026-02-30'), code: 'invalid', field: 'type' },
        { what: 'a day of the year 0', make: said('actualDate', '0000-02-03'), code: 'invalid', field: 'type' },
        { what: 'a day with a time', make: said('actualDate', '2026-02-03T00:00:00Z'), code: 'invalid', field: 'type' },
        { what: 'an outcome that is none', make: said('outcome', 'vanished'), code: 'invalid', field: 'type' },
        { what: 'an outcome without a reason', make: said('outcome', 'missed'), code: 'invalid' },
        { what: 'a field that is none', make: said('rev', '1'), code: 'invalid', field: 'value' },
        {
          what: 'words without end',
          make: said('deviationReason', 'x'.repeat(1_000_000)),
          code: 'invalid',
          field: 'too_long',
        },
        {
          what: 'a forged id',
          make: said('actualDate', '2026-11-02', { id: newId() }),
          code: 'invalid',
          field: 'forged',
        },
        {
          what: 'a visit more of what is not repeated',
          make: of('visit.save', { ...visitOf(ground.world, patient, newId()), fields: [], reason: null }),
          code: 'invalid',
          field: 'not_repeatable',
        },
        {
          what: 'a repeat that looks like an id',
          make: of('visit.save', { ...visitOf(ground.world, patient, '-'.repeat(36)), fields: [], reason: null }),
          code: 'invalid',
          field: 'forged',
        },
        {
          what: 'a folder that never was',
          make: of('visit.save', {
            ...folder,
            folderId: nowhere,
            folderRepeat: '0',
            id: visitId({ patientId: patient, folderId: nowhere, folderRepeat: '0' }),
            fields: [],
            reason: null,
          }),
          code: 'invalid',
          field: 'unknown_folder',
        },
        {
          what: 'a version that is not released',
          make: said('actualDate', '2026-11-02', {}, { crfId: ground.draftId }),
          code: 'invalid',
          field: 'not_released',
        },
        {
          what: 'a version of another project',
          make: said('actualDate', '2026-11-02', {}, { crfId: ground.foreign.study.versionId }),
          code: 'invalid',
          field: 'unknown_version',
        },
        { what: 'another center’s patient', make: of('visit.save', ofOther(southern)), code: 'not_found' },
        { what: 'another project’s patient', make: of('visit.save', ofOther(foreignPatient)), code: 'not_found' },
        {
          what: 'the removal of a planned visit',
          make: of('visit.remove', { ...visitOf(ground.world, patient), reason }),
          code: 'invalid',
          field: 'planned_visit',
        },
        {
          what: 'the removal of a visit that never was',
          make: of('visit.remove', { ...visitOf(ground.world, patient, newId()), reason }),
          code: 'not_found',
        },
        {
          what: 'a change of a visit that nobody made',
          make: of('visit.update', {
            ...visitOf(ground.world, patient, newId()),
            fields: [{ field: 'actualDate', to: '2026-11-02', base: null }],
            reason: null,
          }),
          code: 'not_found',
        },
        {
          what: 'a place that is none',
          make: of('folder.config', {
            ...folder,
            id,
            fields: [{ field: 'order', to: '1e9', base: null }],
            reason: null,
          }),
          code: 'invalid',
          field: 'type',
        },
        {
          what: 'a part of the casebook that is neither',
          make: of('folder.config', {
            ...folder,
            id,
            fields: [{ field: 'applies', to: 'maybe', base: null }],
            reason: null,
          }),
          code: 'invalid',
          field: 'type',
        },
        {
          what: 'a folder of a forged id',
          make: of('folder.remove', { ...folder, id: nowhere, reason }),
          code: 'invalid',
          field: 'forged',
        },
        {
          what: 'by who only reads',
          make: said('actualDate', '2026-11-02', {}, { who: ground.world.people.monitor }),
          code: 'forbidden',
        },
      ],
      ['visit.save'],
    )
    expect(answers).toEqual(REFUSED)
  })
})
