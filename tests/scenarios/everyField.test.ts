import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GapCheck } from '#core/api/calls/review/double.ts'
import { FIELD_TYPES } from '#core/form/definition/column.ts'
import { readPage } from '#core/form/definition/page.ts'
import { entryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { rowsOf } from '#core/sync/merge.ts'
import { jpeg, png } from '#tests/core/files/samples.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { EVERY, KINDS, MISSING, RULES, TYPES, releaseEveryField } from '#tests/scenarios/support/everyField.ts'
import type { EveryField } from '#tests/scenarios/support/everyField.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import type { OpenPage } from '#tests/scenarios/support/ward.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import { call, enrol } from '#tests/server/support/world.ts'

/**
 * A page with every type of field and one with every kind of rule: entered without a network, sent, opened on a second
 * tablet, and entered again by another person in the second pass.
 */

const server = serverForAllTests()
let pages: EveryField
let patient: string
/** Lin enters on the first and opens on the second; Wu, who has the second pass, enters on the third. */
let first: Tablet
let second: Tablet
let third: Tablet
const files = { page: photo(png(640, 480)), row: photo(jpeg(320, 240)) }

/** Of this size, and like no other. */
function photo(beginning: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...beginning, ...crypto.getRandomValues(new Uint8Array(4000))])
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')
const asAll = (column: 'value' | 'other') => [
  ...Object.entries(TYPES).map(([type, entered]) => [`f_${type}`, entered[column]] as const),
  ...Object.entries(KINDS).map(([code, kind]) => [code, kind[column]] as const),
]
const asRow = (column: 'value' | 'other') =>
  Object.entries(TYPES).map(([type, entered]) => [`r_${type}`, entered[column]] as const)

beforeAll(async () => {
  const { services, people } = server.world
  await services.pool.query(`UPDATE project SET config = config || '{"isDouble": 1}'`)
  await services.pool.query('UPDATE member SET entry_pass = 2 WHERE user_id = $1', [people.wu.userId])
  pages = await releaseEveryField(server.world)
  patient = await enrol(server.world)
  ;[first, second, third] = [
    await Tablet.unpacked(server),
    await Tablet.unpacked(server),
    await Tablet.unpacked(server),
  ]
  await first.signIn('lin')
  await second.signIn('lin')
  await third.signIn('wu', { pass: 2 })
}, 120_000)

const at = (pass: 1 | 2 = 1) => pages.of(patient, pass)

/** Enters both pages without a network, as the source says. */
async function enterAll(tablet: Tablet, pass: 1 | 2): Promise<void> {
  tablet.goOffline()
  const rules = await tablet.open(patient, at(pass).rules)
  rules.set('smokes', '1')
  for (const [field, text] of [
    ['packs', '2'],
    ['since', '十年'],
    ['weight', '210'],
  ] as const)
    rules.type(field, text)
  // Rows that are known by their key columns may be entered in any order.
  const drugs = [
    ['川芎', '60', '1'],
    ['甘草', '9', '0'],
  ] as const
  for (const [drug, dose, stopped] of pass === 1 ? drugs : drugs.toReversed()) {
    const rid = rules.addRow('drugs')
    rules.type(`drugs.${rid}.drug`, drug)
    rules.type(`drugs.${rid}.dose`, dose)
    rules.type(`drugs.${rid}.times`, '3')
    rules.set(`drugs.${rid}.stopped`, stopped)
    if (stopped === '1') rules.type(`drugs.${rid}.why`, '皮疹')
  }
  await rules.leave()

  const every = await tablet.open(patient, at(pass).every)
  for (const [field, value] of asAll('value')) every.set(field, value)
  for (const [field, missing] of Object.entries(MISSING)) every.miss(field, missing)
  await every.attach('f_upload', '舌象.PNG', 'image/png', files.page)
  const filled = every.addRow('f_dynamic')
  for (const [field, value] of asRow('value')) every.set(`f_dynamic.${filled}.${field}`, value)
  every.miss(`f_dynamic.${filled}.r_lost`, MISSING.lost)
  await every.attach(`f_dynamic.${filled}.r_upload`, '化验单.jpg', 'image/jpeg', files.row)
  const gone = every.addRow('f_dynamic')
  every.set(`f_dynamic.${gone}.r_input`, '录错')
  const last = every.addRow('f_dynamic')
  every.set(`f_dynamic.${last}.r_input`, '第三行')
  // Saved before it is deleted: a row that nobody ever saved is none.
  await every.flush()
  every.setRowDeleted('f_dynamic', gone, true)
  await every.leave()
}

/** Everything that a page shows of its fields, its rows in their order. */
function looks(page: OpenPage): readonly unknown[] {
  return page.cells.map(({ key, value, missing, visible, required, readOnly, issues, rows, choices }) => ({
    key,
    value,
    missing,
    visible,
    required,
    readOnly,
    issues: issues.map((issue) => issue.code),
    rows,
    choices: choices.map((choice) => choice.value),
  }))
}

async function sent(...tablets: readonly Tablet[]): Promise<void> {
  for (const tablet of tablets) tablet.comeBack()
  for (const tablet of [...tablets, ...tablets]) expect((await tablet.sync()).error).toBeNull()
  for (const tablet of tablets) expect(valueOf(await tablet.device.unsent()).unsent).toBe(0)
}

async function stored(target: EntryTarget) {
  const [row] = await server.rows<{
    values: Readonly<Record<string, JsonValue>>
    missing: unknown
    hidden: readonly string[]
    data_hash: string
    id: string
  }>('SELECT id, "values", missing, hidden, data_hash FROM entry WHERE id = $1', [entryId(target)])
  if (row === undefined) throw new Error('the server has no such page')
  return row
}

/** The references that a page holds: of the field, and of the rows. */
function referencesIn(
  values: Readonly<Record<string, JsonValue>>,
): readonly { readonly id: string; readonly hash: string }[] {
  const rows = rowsOf(values['f_dynamic']) ?? []
  return [values['f_upload'], ...rows.map((row) => row['r_upload'])].flatMap((list) =>
    Array.isArray(list) ? (list as never[]) : [],
  )
}

async function disk({ storage }: Tablet): Promise<string> {
  const tables = [...storage.work.tables, ...storage.cache.tables]
  return JSON.stringify(await Promise.all(tables.map((table) => table.toArray())))
}

const check = (): Promise<GapCheck> =>
  call(server.world, server.world.people.manager, 'double.gapCheck', {
    id: patient,
    projectId: server.world.study.projectId,
  })
const named = ({ gaps }: GapCheck): readonly string[] =>
  gaps.map(({ table, rowNo, code }) => (table === null ? code : `${table}.${rowNo}.${code}`)).toSorted()

describe('the fixture', () => {
  it('has every type that there is, on the page and in rows, and each can be read as it was written', () => {
    const page = readPage(EVERY)
    if (!page.ok) throw new Error(JSON.stringify(page.error))
    const { fields } = page.page
    expect(new Set(fields.map(({ type }) => type))).toEqual(new Set([...FIELD_TYPES, 'title']))
    const inRows = fields.find(({ type }) => type === 'dynamic')?.children ?? []
    expect(new Set(inRows.map(({ type }) => type))).toEqual(new Set(FIELD_TYPES.filter((type) => type !== 'dynamic')))
  })

  it('has every kind of rule: of the page, of a row, of another page, and each gravity of a check', () => {
    const page = readPage(RULES)
    if (!page.ok) throw new Error(JSON.stringify(page.error))
    const all = page.page.fields.flatMap((field) => [field, ...field.children])
    for (const role of ['show', 'require', 'readOnlyWhen', 'calculate'] as const)
      expect(all.some((field) => field[role] !== null)).toBe(true)
    expect(new Set(all.flatMap(({ checks }) => checks.map(({ severity }) => severity)))).toEqual(
      new Set(['error', 'warning', 'query']),
    )
    const sources = all.flatMap(({ show, calculate }) => [show ?? '', calculate ?? '']).join(' ')
    for (const reads of ['page.', 'row.', 'form.', 'visit.']) expect(sources).toContain(reads)
  })
})

describe('entered without a network', () => {
  let entered: { readonly every: readonly unknown[]; readonly rules: readonly unknown[] }

  it('shows at once what the rules make of it', async () => {
    await enterAll(first, 1)
    const rules = await first.open(patient, at().rules)
    entered = { every: looks(await first.open(patient, at().every)), rules: looks(rules) }
    expect(['packs', 'never', 'womanly', 'manly', 'many'].map((field) => rules.isVisible(field))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ])
    expect(['half', 'tenfold', 'total'].map((field) => rules.shown(field))).toEqual([105, 365, 207])
    const cells = new Map(rules.cells.map((cell) => [cell.key, cell]))
    expect([cells.get('since')?.required, cells.get('fixed')?.readOnly]).toEqual([true, true])
    expect(cells.get('weight')?.issues.map((issue) => issue.code)).toEqual(['check', 'check'])
    const [one, two] = cells.get('drugs')?.rows ?? []
    expect([one, two].map((rid) => rules.shown(`drugs.${rid}.daily`))).toEqual([180, 27])
    expect([one, two].map((rid) => cells.get(`drugs.${rid}.why`)?.visible)).toEqual([true, false])
  })

  it('is at the server as it was entered, once it was sent', async () => {
    await sent(first)
    const every = await stored(at().every)
    for (const [field, value] of asAll('value')) expect([field, every.values[field]]).toEqual([field, value])
    const rows = rowsOf(every.values['f_dynamic']) ?? []
    expect(rows.map((row) => [row['r_input'], row['_deleted'] === true])).toEqual([
      [TYPES.input.value, false],
      ['录错', true],
      ['第三行', false],
    ])
    for (const [field, value] of asRow('value')) expect([field, rows[0]?.[field]]).toEqual([field, value])
    expect(every.missing).toEqual({ ...MISSING, [`${rows[0]?.['_rid'] as string}.r_lost`]: MISSING.lost })
    const rules = await stored(at().rules)
    expect([rules.values['half'], rules.values['tenfold'], rules.values['total']]).toEqual([105, 365, 207])
    expect(rules.hidden).toEqual(expect.arrayContaining(['never', 'manly']))
  })

  it('looks the same on a second tablet: values, reasons, rows in their order, and what rules say', async () => {
    await sent(second)
    second.goOffline()
    expect(looks(await second.open(patient, at().every))).toEqual(entered.every)
    expect(looks(await second.open(patient, at().rules))).toEqual(entered.rules)
    const [here, there] = [await first.see(patient, at().every), await second.see(patient, at().every)]
    expect(there.data).toEqual(here.data)
    expect(referencesIn(here.data.values).map(({ hash }) => hash)).toEqual([hashOf(files.page), hashOf(files.row)])
  })

  it('brings its photographs whole, once, to whoever opens them', async () => {
    second.comeBack()
    const references = referencesIn((await second.see(patient, at().every)).data.values)
    for (const { id, hash } of references) {
      const content = valueOf(await second.device.fileContent(server.world.study.projectId, id))
      expect(hashOf(new Uint8Array(await content.arrayBuffer()))).toBe(hash)
    }
    const states = await server.rows<{ state: string }>('SELECT state FROM attachment WHERE entry_id = $1', [
      entryId(at().every),
    ])
    expect(states).toEqual([{ state: 'stored' }, { state: 'stored' }])
  })
})

describe('entered again by another', () => {
  it('who never had the first pass on their disk, the passes say the same in everything', async () => {
    await enterAll(third, 2)
    await sent(third, first, third)
    const [one, two] = [await disk(first), await disk(third)]
    const ids = (pass: 1 | 2) => Object.values(at(pass)).map((target) => entryId(target))
    for (const id of ids(1)) expect([one.includes(id), two.includes(id)]).toEqual([true, false])
    for (const id of ids(2)) expect([one.includes(id), two.includes(id)]).toEqual([false, true])
    const found = await check()
    expect(found.state).toBe('open')
    expect(named(found)).toEqual([])
    expect(found.agreement.compared).toBeGreaterThan(asAll('value').length + asRow('value').length)
  })

  it('a difference in each field is found where it is, and no other', async () => {
    third.goOffline()
    const every = await third.open(patient, at(2).every)
    const [rid = ''] = every.cells.find(({ key }) => key === 'f_dynamic')?.rows ?? []
    for (const [field, value] of asAll('other')) every.set(field, value)
    for (const [field, value] of asRow('other')) every.set(`f_dynamic.${rid}.${field}`, value)
    every.miss('lost', MISSING.unknown)
    every.miss('unknown', null)
    every.type('unknown', '7')
    every.miss(`f_dynamic.${rid}.r_lost`, MISSING.unknown)
    await every.attach('f_upload', '又一张.png', 'image/png', photo(png(10, 10)))
    await every.attach(`f_dynamic.${rid}.r_upload`, '又一张.png', 'image/png', photo(png(10, 10)))
    const more = every.addRow('f_dynamic')
    every.set(`f_dynamic.${more}.r_input`, '第四行')
    await every.leave()
    const rules = await third.open(patient, at(2).rules)
    rules.type('since', '九年')
    await rules.leave()
    await sent(third)
    const inRow = (code: string) => `f_dynamic.1.${code}`
    expect(named(await check())).toEqual(
      [
        ...asAll('other').map(([field]) => field),
        ...asRow('other').map(([field]) => inRow(field)),
        'lost',
        'unknown',
        inRow('r_lost'),
        'f_upload',
        inRow('r_upload'),
        'f_dynamic.3.f_dynamic',
        'since',
      ].toSorted(),
    )
  })

  it('put right again one after the other, the passes say the same again', async () => {
    third.goOffline()
    const every = await third.open(patient, at(2).every)
    const [rid = '', , more = ''] = every.cells.find(({ key }) => key === 'f_dynamic')?.rows ?? []
    for (const [field, value] of asAll('value')) every.set(field, value)
    for (const [field, value] of asRow('value')) every.set(`f_dynamic.${rid}.${field}`, value)
    for (const [field, missing] of Object.entries(MISSING)) {
      every.set(field, null)
      every.miss(field, missing)
    }
    every.miss(`f_dynamic.${rid}.r_lost`, MISSING.lost)
    for (const field of ['f_upload', `f_dynamic.${rid}.r_upload`])
      every.set(field, (every.shown(field) as readonly JsonValue[]).slice(0, 1))
    every.setRowDeleted('f_dynamic', more, true)
    await every.leave()
    const rules = await third.open(patient, at(2).rules)
    rules.type('since', '十年')
    await rules.leave()
    await sent(third)
    expect(named(await check())).toEqual([])
  })
})
