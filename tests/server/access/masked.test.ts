import { createHash } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import type { Column } from '#core/form/definition/column.ts'
import { newId } from '#core/ids.ts'
import { entryDataText } from '#core/sync/entryData.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { png } from '#tests/core/files/samples.ts'
import {
  fileOf,
  finish,
  nameFiles,
  piece,
  releaseWithPhotos,
  start,
  upload,
} from '#tests/server/areas/attachment/support.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'
import {
  addMember,
  addVersion,
  call,
  change,
  enrol,
  item,
  operationOf,
  push,
  refusal,
  save,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** What somebody may not see of a patient, or of the other pass, is shown by no other way either. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const SECRET = '李四 13912345678'

it('a table that a release takes away is masked in the trail as its columns were', async () => {
  const { services, study, people } = world
  const columns = vitalsColumns.map((column): Column =>
    column.prop === 'drugs'
      ? {
          ...column,
          children: {
            column: (column.children?.column ?? []).map((child) =>
              child.prop === 'drug' ? { ...child, zl: { identifier: true } } : child,
            ),
          },
        }
      : column,
  )
  await services.pool.query('UPDATE crf_page SET option = $2 WHERE page_id = $1', [
    study.vitalsId,
    JSON.stringify({ column: columns }),
  ])
  const rid = newId()
  const body = change(
    vitals(world, patient),
    { height: 170 },
    { rows: [{ table: 'drugs', rid, to: { deleted: false, order: 'a' }, base: null, seen: null, reason: null }] },
  )
  await save(world, people.lin, {
    ...body,
    items: [...body.items, item('drug', null, SECRET, { table: 'drugs', rid })],
  })
  const id = await testedVersion(world, { no: 2, columns: vitalsColumns.filter(({ prop }) => prop !== 'drugs') })
  await releaseTested(world, id)
  await runMigrations(services)
  const listed = await call(world, people.monitor, 'audit.list', {
    query: { projectId: study.projectId, current: 1, size: 500 },
  })
  expect(JSON.stringify(listed.records.filter(({ action }) => action === 'item.update'))).not.toContain(SECRET)
  expect(
    JSON.stringify(await call(world, people.monitor, 'entry.list', { query: { patientId: patient } })),
  ).not.toContain(SECRET)
  expect(JSON.stringify(listed.records)).not.toContain(SECRET)
})

it('a dry run of a draft tells nothing of a field that identifies in the version in use', async () => {
  const { study, people, services } = world
  await save(world, people.lin, change(vitals(world, patient), { contact: SECRET }))
  const draft = newId()
  const columns = vitalsColumns.map((column): Column =>
    column.prop === 'contact' ? { prop: 'relative', label: '联系人', type: 'input' } : column,
  )
  await addVersion(services.pool, study, people.admin, {
    id: draft,
    no: 2,
    vitals: JSON.stringify({ column: columns }),
  })
  await services.pool.query(`UPDATE crf_version SET profile = 'draft' WHERE id = $1`, [draft])
  expect(
    JSON.stringify(await call(world, people.manager, 'entry.list', { query: { patientId: patient } })),
  ).not.toContain(SECRET)
  const mappings = { fields: [{ pageId: study.vitalsId, table: null, from: 'contact', to: 'relative' }], choices: [] }
  const run = await call(world, people.manager, 'version.migrationCheck', {
    query: { crfId: draft, current: 1, size: 10 },
    body: { mappings },
  })
  expect(JSON.stringify(run)).not.toContain(SECRET)
})

it('the name of a file in a field that identifies is masked in the trail while its page waits', async () => {
  const { people, study } = world
  const crfVersionId = await releaseWithPhotos(world)
  const file = fileOf(png(2, 2), '李四身份证.png')
  const target = vitals(world, patient)
  await setStatus(world, 'stop')
  const op = operationOf(world, people.lin, {
    call: 'entry.save',
    entityId: entryId(target),
    crfVersionId,
    body: change(target, { face: [{ ...file.reference }] }) as never,
  })
  expect([...(await push(world, people.lin, [op])).values()]).toMatchObject([
    { t: 'taken', receipt: { outcome: 'held' } },
  ])
  await start(world, people.lin, target, file, { code: 'face' })
  await piece(world, people.lin, file, 0)
  expect(await finish(world, people.lin, file)).toMatchObject({ state: 'stored' })
  const listed = await call(world, people.monitor, 'audit.list', {
    query: { projectId: study.projectId, current: 1, size: 500 },
  })
  expect(listed.records.map(({ action }) => action)).toContain('attachment.store')
  expect(JSON.stringify(listed.records)).not.toContain('李四')
})

it('why a value that identifies was changed or waits for a decision is masked in the trail as the value is', async () => {
  const { people, study } = world
  const { lin, wu } = people
  const reason = { code: 'other', text: SECRET } as const
  await save(world, lin, change(vitals(world, patient), { contact: '王五', note: 'a' }))
  await save(
    world,
    lin,
    change(vitals(world, patient), {
      contact: item('contact', '王五', '赵六', { reason }),
      note: item('note', 'a', 'b', { reason: { code: 'other', text: '更正备注' } }),
    }),
  )
  await save(world, wu, change(vitals(world, patient), { contact: item('contact', '王五', '孙七', { reason }) }))
  const { records } = await call(world, people.monitor, 'audit.list', {
    query: { projectId: study.projectId, current: 1, size: 500 },
  })
  expect(JSON.stringify(records)).not.toContain(SECRET)
  expect(JSON.stringify(records)).toContain('更正备注')
  expect(records.find(({ action }) => action === 'conflict.open')).toMatchObject({
    prop: 'contact',
    newValue: '***',
    reasonCode: 'other',
    reasonText: '***',
  })
  const own = await call(world, lin, 'audit.field', {
    id: entryId(vitals(world, patient)),
    query: { projectId: study.projectId, current: 1, size: 100, prop: 'contact' },
  })
  expect(own.records.find(({ action }) => action === 'conflict.open')).toMatchObject({
    newValue: { value: '孙七' },
    reasonText: SECRET,
  })
})

it('the log of a migration shows whoever began it nothing of the other pass', async () => {
  const { people, study, services } = world
  await save(world, people.lin, change(vitals(world, patient), { note: 'PASS-ONE-VALUE' }))
  const id = await testedVersion(world, { no: 2, columns: vitalsColumns.filter(({ prop }) => prop !== 'note') })
  const pm = await addMember(services, study, 'pm', 'PM', [])
  await services.pool.query(`UPDATE member SET data_scope = 'all' WHERE user_id = $1`, [pm.userId])
  const { taskId } = await call(world, pm, 'version.release', { query: { crfId: id }, body: {} })
  await runMigrations(services)
  // The project manager enters the second pass from now on.
  await services.pool.query(`UPDATE member SET role = 'CRC', entry_pass = 2 WHERE user_id = $1`, [pm.userId])
  expect(await call(world, pm, 'entry.list', { query: { patientId: patient } })).toEqual([])
  expect(JSON.stringify(await call(world, pm, 'task.result', { id: taskId ?? '', query: {} }))).not.toContain(
    'PASS-ONE-VALUE',
  )
})

it('the hash of an entry does not tell what is masked', async () => {
  const { people } = world
  await save(world, people.lin, change(vitals(world, patient), { height: 170, contact: '1960-02-29' }))
  const [entry] = await call(world, people.monitor, 'entry.list', { query: { patientId: patient } })
  expect(entry?.values['contact']).not.toBe('1960-02-29')
  const found: string[] = []
  for (let day = Date.parse('1920-01-01'); day < Date.parse('2010-01-01'); day += 86_400_000) {
    const guess = new Date(day).toISOString().slice(0, 10)
    const text = entryDataText({ values: { ...entry?.values, contact: guess }, missing: entry?.missing ?? {} })
    if (createHash('sha256').update(text).digest('hex') === entry?.dataHash) found.push(guess)
  }
  expect(found).toEqual([])
})

it('a file that an operation named in a field that identifies is masked whatever its upload says of the field', async () => {
  const { people, study } = world
  const version = await releaseWithPhotos(world)
  const file = fileOf(png(2, 2), '李四身份证.png')
  const target = await nameFiles(world, people.lin, version, patient, [file], 'face')
  await upload(world, people.lin, target, file, 'photos')
  const listed = await call(world, people.monitor, 'audit.list', {
    query: { projectId: study.projectId, current: 1, size: 500 },
  })
  expect(await refusal(call(world, people.monitor, 'attachment.content', { id: file.reference.id }))).toBe('not_found')
  expect(JSON.stringify(listed.records)).not.toContain('李四')
})

it('what was masked stays masked under the name that a release gives it', async () => {
  const { people, services, study } = world
  await save(world, people.lin, change(vitals(world, patient), { contact: SECRET }))
  const columns = vitalsColumns.map((column): Column =>
    column.prop === 'contact' ? { prop: 'relative', label: '联系人', type: 'input' } : column,
  )
  const id = await testedVersion(world, { no: 2, columns })
  await releaseTested(world, id, {
    fields: [{ pageId: study.vitalsId, table: null, from: 'contact', to: 'relative' }],
    choices: [],
  })
  await runMigrations(services)
  const [entry] = await call(world, people.monitor, 'entry.list', { query: { patientId: patient } })
  const listed = await call(world, people.monitor, 'audit.list', {
    query: { projectId: study.projectId, current: 1, size: 500 },
  })
  expect([JSON.stringify(entry).includes(SECRET), JSON.stringify(listed.records).includes(SECRET)]).toEqual([
    false,
    false,
  ])
})

it('a rule is not tried on what any version says identifies', async () => {
  const { people, services, study } = world
  await save(world, people.lin, change(vitals(world, patient), { height: 170, contact: SECRET }))
  const columns = vitalsColumns.map((column): Column =>
    column.prop === 'contact' ? { prop: 'contact', label: '联系人', type: 'input' } : column,
  )
  const id = newId()
  await addVersion(services.pool, study, people.admin, { id, no: 2, vitals: JSON.stringify({ column: columns }) })
  expect(
    JSON.stringify(await call(world, people.manager, 'entry.list', { query: { patientId: patient } })),
  ).not.toContain(SECRET)
  const tried = call(world, people.manager, 'version.ruleTry', {
    query: { crfId: id },
    body: {
      pageId: study.vitalsId,
      table: null,
      kind: 'show',
      source: "page.contact.contains('13912345678')",
      after: null,
    } as never,
  })
  expect(
    await tried.then(
      (found) => JSON.stringify(found),
      (error: { error?: { code?: string } }) => error.error?.code,
    ),
  ).toBe('forbidden')
})
