import { beforeAll, describe, expect, it } from 'vitest'
import { changeOps, opsOf } from '#core/dataset/conditions.ts'
import type { AnswerAt, AnswerKind, AnswerShape, AnswerTest, Condition } from '#core/dataset/conditions.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { makeGround, putEntry } from '#tests/server/areas/search/ground.ts'
import type { SearchGround } from '#tests/server/areas/search/ground.ts'
import { meets } from '#tests/server/areas/search/plain.ts'
import type { PlainAnswer, PlainSubject } from '#tests/server/areas/search/plain.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, call, enrol, refusal } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Conditions in SQL say what they plainly mean, for whoever asks: over random entries of every kind of answer. */

const world = worldForAllTests()
let ground: SearchGround
let whole: Person
let seed = 20_261_130
const subjects = new Map<string, PlainSubject>()

/** Park and Miller's numbers: the same in every run. */
function random(below: number): number {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}
function pick<const Of extends readonly unknown[]>(of: Of): Of[number] {
  return of[random(of.length)]
}

const SHAPES: Readonly<Record<string, AnswerShape>> = {
  sbp: { kind: 'number', stored: 'one' },
  taken: { kind: 'date', stored: 'one' },
  clock: { kind: 'time', stored: 'one' },
  span: { kind: 'date', stored: 'one' },
  note: { kind: 'text', stored: 'one' },
  arm: { kind: 'choice', stored: 'one' },
  signs: { kind: 'choice', stored: 'list' },
  drug: { kind: 'text', stored: 'one' },
  dose: { kind: 'number', stored: 'one' },
}
const CODES = ['sbp', 'taken', 'clock', 'span', 'note', 'arm', 'signs', 'drug', 'dose'] as const
type Code = (typeof CODES)[number]

const numbers = [0, 90, 120.5, 140, 200] as const
const days = ['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-05'] as const
const clocks = ['08:00', '08:00:30', '23:59'] as const
const texts = ['头痛', 'Head ache', '10%_正常', '', 'O’Hara -- ;'] as const

function randomValue(code: Code): JsonValue {
  if (random(6) === 0) return pick([null, '', []])
  if (random(12) === 0) return pick(['约70', 12, ['x']])
  switch (SHAPES[code]?.kind) {
    case 'number':
      return pick(numbers)
    case 'time':
      return pick(clocks)
    case 'date':
      return code === 'span' ? [pick(days), pick([...days, ''])] : pick(days)
    case 'choice':
      return code === 'arm' ? pick(['L', 'R']) : [pick(['a', 'b']), ...(random(2) === 0 ? ['c'] : [])]
    case 'text':
    case 'datetime':
    case 'file':
    case undefined:
      return pick(texts)
  }
}

beforeAll(async () => {
  const { services, study, people } = world
  ground = await makeGround(world)
  whole = await addMember(services, study, 'whole', 'DBD', [study.north, study.south])
  for (let at = 0; at < 30; at += 1) {
    const isSouth = random(3) === 0
    const id = await enrol(world, isSouth ? people.south : people.lin, isSouth ? study.south : study.north)
    const sex = pick(['F', 'M', null])
    const enrolledOn = pick(['2026-11-02', '2026-05-01', null])
    await services.pool.query('UPDATE patient SET sex = $2, enrolled_on = $3 WHERE id = $1', [id, sex, enrolledOn])
    const centerId = isSouth ? study.south : study.north
    const answers = new Map<string, PlainAnswer[]>()
    for (const folderId of ground.visits) {
      if (random(4) === 0) continue
      await putRandomEntry(id, centerId, folderId, answers)
    }
    subjects.set(id, {
      centerId,
      sex,
      enrolledOn,
      answers: ({ code, part }) =>
        (answers.get(code) ?? []).map((answer) => ({ ...answer, value: partOf(answer.value, part) })),
    })
  }
})

function partOf(value: JsonValue, part: 'start' | 'end' | null): JsonValue {
  if (part === null) return value
  if (Array.isArray(value)) return (value as readonly JsonValue[])[part === 'start' ? 0 : 1] ?? null
  return part === 'start' ? value : null
}

async function putRandomEntry(patientId: string, centerId: string, folderId: string, into: Map<string, PlainAnswer[]>) {
  const values: Record<string, JsonValue> = {}
  const missing: Record<string, JsonValue> = {}
  const hidden: string[] = []
  const isGone = random(8) === 0
  const add = (code: string, answer: PlainAnswer) => {
    if (!isGone) into.set(code, [...(into.get(code) ?? []), answer])
  }
  for (const code of CODES) {
    if (code === 'drug' || code === 'dose') continue
    const value = randomValue(code)
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0)
    const reason = isEmpty && random(2) === 0 ? { m: pick(['ND', 'UNK', 'NA']), reason: '' } : null
    if (value !== null) values[code] = value
    if (reason !== null) missing[code] = reason
    if (random(8) === 0) hidden.push(code)
    else add(code, { folderId, value, missing: reason })
  }
  values['drugs'] = Array.from({ length: random(3) }, (_, at) => {
    const [rid, isDeleted] = [newId(), random(4) === 0]
    const row: Record<string, JsonValue> = { _rid: rid, _ord: `V${at}`, ...(isDeleted ? { _deleted: true } : {}) }
    for (const code of ['drug', 'dose'] as const) {
      const value = randomValue(code)
      if (value !== null) row[code] = value
      if (random(8) === 0) hidden.push(`drugs.${rid}.${code}`)
      else if (!isDeleted) add(code, { folderId, value, missing: null })
    }
    return row
  })
  await putEntry(world, ground, { patientId, centerId, folderId, values, missing, hidden, deleted: isGone })
}

function randomTest(kind: AnswerKind | 'change'): AnswerTest {
  const op = kind === 'change' ? pick(['eq', ...changeOps]) : pick(['filled', ...opsOf(kind)])
  const value = (): string | number => {
    switch (kind) {
      case 'change':
        return pick([-50, 0, 1, 20, 59])
      case 'number':
        return pick(numbers)
      case 'date':
        return pick(days)
      case 'time':
        return pick(clocks)
      case 'choice':
        return pick(['L', 'R', 'a', 'b', 'c'])
      case 'text':
      case 'datetime':
      case 'file':
        return pick(['头痛', 'head', '%', '-- ;'])
    }
  }
  switch (op) {
    case 'between':
      return { op, from: value(), to: value() }
    case 'oneOf':
      return { op, values: [value(), value()] }
    case 'contains':
      return { op, value: String(value()) }
    case 'empty':
    case 'filled':
      return { op }
    case 'missing':
      return { op, reason: pick([null, 'ND', 'UNK', 'NA']) }
    case 'eq':
    case 'ge':
    case 'gt':
    case 'le':
    case 'lt':
    case 'ne':
      return { op, value: value() }
  }
}

function randomLeaf(): Condition {
  if (random(5) === 0)
    return pick<readonly Condition[]>([
      { kind: 'center', centers: [world.study.south] },
      { kind: 'sex', sex: pick(['F', 'M']) },
      { kind: 'enrolled', from: pick([null, '2026-06-01']), to: pick([null, '2026-10-01']) },
    ])
  const code = pick(CODES)
  const shape = SHAPES[code]
  const table = code === 'drug' || code === 'dose' ? 'drugs' : null
  const field = { pageId: ground.pageId, table, code, part: code === 'span' ? pick(['start', 'end']) : null }
  const [first, second] = ground.visits
  const change = (code === 'sbp' || code === 'taken' || code === 'span') && random(3) === 0
  if (change)
    return {
      kind: 'field',
      field,
      at: { which: 'change', folderId: pick([null, second]), baseline: first },
      test: randomTest('change'),
    }
  const at = pick<readonly AnswerAt[]>([
    { which: 'any' },
    { which: 'every' },
    { which: 'first' },
    { which: 'last' },
    { which: 'visit', folderId: pick(ground.visits) },
  ])
  return { kind: 'field', field, at, test: randomTest(shape?.kind ?? 'text') }
}

function randomCondition(deep: number): Condition {
  if (deep === 0 || random(2) === 0) return randomLeaf()
  if (random(4) === 0) return { kind: 'not', of: randomCondition(deep - 1) }
  return { kind: pick(['all', 'any']), of: Array.from({ length: 1 + random(3) }, () => randomCondition(deep - 1)) }
}

async function foundBy(condition: Condition, who: Person = whole): Promise<readonly string[]> {
  const body = { projectId: world.study.projectId, condition, show: [], current: 1, size: 500 }
  return (await call(world, who, 'search.subjects', { body })).records.map(({ id }) => id).toSorted()
}

function expected(condition: Condition): readonly string[] {
  const shapeOf = (code: string): AnswerShape => SHAPES[code] ?? { kind: 'text', stored: 'one' }
  return [...subjects]
    .filter(([, subject]) => meets(condition, subject, shapeOf))
    .map(([id]) => id)
    .toSorted()
}

describe('a condition', () => {
  it('finds the subjects who meet it, whatever it is and whatever was entered', { timeout: 120_000 }, async () => {
    let met = 0
    for (let at = 0; at < 120; at += 1) {
      const condition = randomCondition(3)
      const wanted = expected(condition)
      if (wanted.length > 0 && wanted.length < subjects.size) met += 1
      expect({ condition, found: await foundBy(condition) }).toEqual({ condition, found: wanted })
    }
    // Most of them tell subjects apart.
    expect(met).toBeGreaterThan(40)
  })

  it('finds the same for each operator and each quantifier alone', { timeout: 120_000 }, async () => {
    for (const code of CODES) {
      const table = code === 'drug' || code === 'dose' ? 'drugs' : null
      const field = { pageId: ground.pageId, table, code, part: code === 'span' ? 'end' : null } as const
      for (const op of opsOf(SHAPES[code]?.kind ?? 'text')) {
        for (const which of ['any', 'every', 'first', 'last'] as const) {
          let test = randomTest(SHAPES[code]?.kind ?? 'text')
          while (test.op !== op) test = randomTest(SHAPES[code]?.kind ?? 'text')
          const condition: Condition = { kind: 'field', field, at: { which }, test }
          expect({ condition, found: await foundBy(condition) }).toEqual({ condition, found: expected(condition) })
        }
      }
    }
  })

  it('is counted as it is listed', async () => {
    for (let at = 0; at < 20; at += 1) {
      const condition = randomCondition(2)
      const { count, all } = await call(world, whole, 'search.count', {
        body: { projectId: world.study.projectId, condition },
      })
      expect({ count, all }).toEqual({ count: expected(condition).length, all: subjects.size })
    }
  })
})

describe('what is asked', () => {
  const field = (code: string, more: object = {}) => ({ pageId: ground.pageId, table: null, code, part: null, ...more })
  const ask = (condition: Condition, who: Person = whole) =>
    refusal(call(world, who, 'search.count', { body: { projectId: world.study.projectId, condition } }))
  const filled = (of: ReturnType<typeof field>): Condition => ({
    kind: 'field',
    field: of,
    at: { which: 'any' },
    test: { op: 'filled' },
  })

  it('is refused for a field that nobody released, a range without its end, and a test that does not fit', async () => {
    expect(await ask(filled(field('sbp')))).toBeNull()
    expect(await ask(filled(field('nowhere')))).toBe('invalid')
    expect(await ask(filled(field('span')))).toBe('invalid')
    expect(await ask(filled(field('sbp', { part: 'start' })))).toBe('invalid')
    const test = { op: 'contains', value: '1' } as const
    expect(await ask({ kind: 'field', field: field('sbp'), at: { which: 'any' }, test })).toBe('invalid')
    const change = { which: 'change', folderId: null, baseline: ground.visits[0] } as const
    expect(await ask({ kind: 'field', field: field('note'), at: change, test: { op: 'gt', value: 1 } })).toBe('invalid')
  })

  it('is refused for a field that is masked for the reader: its value could be guessed', async () => {
    const condition = filled(field('contact'))
    expect(await ask(condition, world.people.monitor)).toBe('forbidden')
    expect(await ask({ kind: 'not', of: { kind: 'all', of: [condition] } }, world.people.monitor)).toBe('forbidden')
    expect(await ask(condition, world.people.lin)).toBeNull()
    const body = { projectId: world.study.projectId, condition: filled(field('sbp')), show: [field('contact')] }
    const shown = { body: { ...body, current: 1, size: 10 } }
    expect(await refusal(call(world, world.people.monitor, 'search.subjects', shown))).toBe('forbidden')
  })

  it('is answered about the subjects whom the reader sees, and about none without the right', async () => {
    const { services, study, people } = world
    const all: Condition = { kind: 'all', of: [] }
    const south = [...subjects].filter(([, { centerId }]) => centerId === study.south).map(([id]) => id)
    expect(await foundBy(all, people.south)).toEqual(south.toSorted())
    const own = await addMember(services, study, 'own', 'CRC', [study.north])
    await services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [own.userId])
    expect(await foundBy(all, own)).toEqual([])
    expect(await ask(all, people.stranger)).toBe('not_found')
    const second = await addMember(services, study, 'second', 'CRC', [study.north, study.south])
    await services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [second.userId])
    expect(await foundBy(filled(field('sbp')), second)).toEqual([])
  })
})

describe('a search that is kept', () => {
  const name = '高血压'
  const condition = (): Condition => ({
    kind: 'field',
    field: { pageId: ground.pageId, table: null, code: 'sbp', part: null },
    at: { which: 'any' },
    test: { op: 'ge', value: 140 },
  })
  const keep = (who: Person, more: { id?: string; isShared?: boolean; condition?: Condition } = {}) =>
    call(world, who, 'search.save', {
      body: { id: newId(), projectId: world.study.projectId, name, isShared: false, condition: condition(), ...more },
    })
  const listed = async (who: Person) =>
    (await call(world, who, 'search.list', { query: { projectId: world.study.projectId } })).map(({ id }) => id)

  it('is its maker’s alone, or shared; only its maker changes or removes it', async () => {
    const { people, study } = world
    const own = await keep(people.lin)
    const shared = await keep(people.lin, { isShared: true })
    expect(own).toMatchObject({ name, isShared: false, isOwn: true })
    expect(await listed(people.lin)).toEqual(expect.arrayContaining([own.id, shared.id]))
    expect(await listed(people.wu)).toEqual([shared.id])
    expect(await refusal(keep(people.wu, { id: shared.id }))).toBe('forbidden')
    const remove = (who: Person, id: string) =>
      refusal(call(world, who, 'search.remove', { body: { id, projectId: study.projectId } }))
    expect(await remove(people.wu, own.id)).toBe('not_found')
    expect(await remove(people.wu, shared.id)).toBe('forbidden')
    expect(await remove(people.lin, shared.id)).toBeNull()
    expect(await listed(people.wu)).toEqual([])
  })

  it('narrows the list of subjects down to those whom it finds', async () => {
    const { people, study } = world
    const { id } = await keep(whole, { isShared: true })
    const list = async (who: Person) => {
      const query = { projectId: study.projectId, searchId: id, current: 1, size: 500 }
      const { records, total } = await call(world, who, 'patient.list', { query })
      expect(total).toBe(records.length)
      return records.map((one) => one.id).toSorted()
    }
    expect(await list(whole)).toEqual(expected(condition()))
    const north = expected(condition()).filter((one) => subjects.get(one)?.centerId === study.north)
    expect(await list(people.lin)).toEqual(north)
    const gone = { projectId: study.projectId, searchId: newId(), current: 1, size: 10 }
    expect(await refusal(call(world, whole, 'patient.list', { query: gone }))).toBe('not_found')
  })

  it('that asks about what identifies is not for who may not see that, and the trail does not tell what was typed', async () => {
    const { people, study } = world
    const field = { pageId: ground.pageId, table: null, code: 'contact', part: null }
    const secret = '李四的姐姐'
    const { id } = await keep(people.lin, {
      isShared: true,
      condition: { kind: 'field', field, at: { which: 'any' }, test: { op: 'contains', value: secret } },
    })
    expect(await listed(people.wu)).toContain(id)
    expect(await listed(people.monitor)).not.toContain(id)
    const query = { projectId: study.projectId, searchId: id, current: 1, size: 10 }
    expect(await refusal(call(world, people.monitor, 'patient.list', { query }))).toBe('forbidden')
    const { rows } = await world.database.ownerPool.query<{ said: JsonValue }>(
      `SELECT v.new_value AS said FROM audit a JOIN audit_value v ON v.audit_id = a.id WHERE a.action = 'search.save' ORDER BY a.seq DESC LIMIT 2`,
    )
    expect(rows[0]?.said).toEqual({ id, name, shared: true, condition: null })
    // What identifies nobody is told.
    expect(rows[1]?.said).toMatchObject({ condition: condition() })
  })
})
