import { describe, expect, test } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import type { JsonValue } from '#core/json.ts'
import { runMigrations } from '#server/jobs/migration.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { conflictsOf } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import { announce, call, enrol, event, vitals } from '#tests/server/support/world.ts'
import { releaseTested, testedVersion, vitalsColumns } from '#tests/server/support/release.ts'

/**
 * A release while two tablets are away: nothing of what was typed under the version before is lost, whenever it comes.
 */

const server = serverForAllTests()

/** The note is called a remark, smoking is written Y and N, nobody is asked for a contact any more. */
const NEXT: readonly Column[] = vitalsColumns.flatMap((column): readonly Column[] => {
  if (column.prop === 'contact') return []
  if (column.prop === 'note') return [{ ...column, prop: 'remark' }]
  if (column.prop === 'smokes')
    return [
      {
        ...column,
        dicData: [
          { label: '是', value: 'Y' },
          { label: '否', value: 'N' },
        ],
      },
    ]
  return [column.prop === 'packs' ? { ...column, zl: { show: "page.smokes == 'Y'" } } : column]
})

async function entryOf(patient: string): Promise<{
  readonly version_id: string
  readonly values: Readonly<Record<string, JsonValue>>
  readonly retired: Readonly<Record<string, { readonly value: JsonValue }>>
}> {
  const [found] = await server.rows<Awaited<ReturnType<typeof entryOf>>>(
    'SELECT version_id, "values", retired FROM entry WHERE id = $1',
    [entryId(vitals(server.world, patient))],
  )
  if (found === undefined) throw new Error('no such entry')
  return found
}

describe('13.3 a version is released and migrated while two tablets are away', () => {
  test('drafts that were only typed and saves that wait under the old version are all at the server, in their new place or retired', async () => {
    const { world } = server
    const [first, second] = [await enrol(world), await enrol(world)]
    const drafting = await Tablet.unpacked(server)
    await drafting.signIn('lin')
    let saving = await Tablet.unpacked(server)
    await saving.signIn('wu')
    await drafting.enter(first, 'smokes', '1')
    await drafting.sync()
    await saving.sync()

    // One ward is away with typing that no save was made of, the other with saves that wait.
    drafting.goOffline()
    const open = await drafting.open(first)
    open.type('note', '晨起空腹')
    open.type('contact', '家属')
    await drafting.flushTyping()
    saving.goOffline()
    await saving.enter(first, 'weight', '65')
    await saving.enter(second, 'note', '餐后')
    await saving.enter(second, 'smokes', '0')
    await saving.enter(second, 'contact', '本人')

    // Meanwhile the next version is released, and everybody is brought to it.
    const id = await testedVersion(world, { no: 2, columns: NEXT })
    const task = await releaseTested(world, id, {
      fields: [{ pageId: world.study.vitalsId, table: null, from: 'note', to: 'remark' }],
      choices: [],
    })
    await announce(world.services.pool, world.study, world.people.admin, [{ kind: 'version', rowId: id }])
    await runMigrations(world.services)
    expect(await call(world, world.people.admin, 'task.result', { id: task ?? '', query: {} })).toMatchObject({
      status: 1,
      finishedCount: 2,
      totalCount: 2,
    })
    expect(await entryOf(first)).toMatchObject({ version_id: id, values: { smokes: 'Y' } })

    // They come back: the one after its browser died, the other in the middle of its shift.
    const recovered = drafting.crash()
    await recovered.unlock('lin')
    recovered.comeBack()
    await recovered.takeToken('lin')
    await recovered.sync()
    saving.comeBack()
    await saving.sync()
    expect([await recovered.unsent(), await saving.unsent()]).toEqual([0, 0])

    expect(await entryOf(first)).toMatchObject({
      version_id: id,
      values: { smokes: 'Y', remark: '晨起空腹', weight: 65 },
      retired: { contact: { value: '家属' } },
    })
    expect(await entryOf(second)).toMatchObject({
      version_id: id,
      values: { remark: '餐后', smokes: 'N' },
      retired: { contact: { value: '本人' } },
    })
    for (const patient of [first, second]) expect(await conflictsOf(server, patient)).toEqual([])

    // And go on under the new version, with what they entered on the page, or below it.
    saving = saving.crash()
    await saving.unlock('wu')
    await saving.takeToken('wu')
    await saving.sync()
    const seen = await saving.see(first)
    expect(seen).toMatchObject({
      versionId: id,
      data: { values: { remark: '晨起空腹', weight: 65 } },
      server: { retired: { contact: { label: '联系人', text: '家属' } } },
    })
    await saving.enter(first, 'remark', '晨起空腹，已核对')
    await saving.sync()
    expect((await entryOf(first)).values['remark']).toBe('晨起空腹，已核对')
  })

  test('a page that two tablets change before and after it was brought along has both; the same field on both sides is one conflict', async () => {
    const { world } = server
    const patient = await enrol(world)
    const [one, two] = [await Tablet.unpacked(server), await Tablet.unpacked(server)]
    await one.signIn('lin')
    await two.signIn('wu')
    await one.enter(patient, 'smokes', 'Y')
    await one.enter(patient, 'remark', '晨起')
    await one.sync()
    await two.sync()
    for (const tablet of [one, two]) tablet.goOffline()
    await one.enter(patient, 'smokes', 'N')
    await one.enter(patient, 'remark', '餐前')
    await two.enter(patient, 'height', '170')

    // Smoking is written 1 and 0 again.
    const back = NEXT.map((column): Column =>
      column.prop === 'smokes'
        ? {
            ...column,
            dicData: [
              { label: '是', value: '1' },
              { label: '否', value: '0' },
            ],
          }
        : column.prop === 'packs'
          ? { ...column, zl: { show: "page.smokes == '1'" } }
          : column,
    )
    const id = await testedVersion(world, { no: 3, columns: back })
    await releaseTested(world, id)
    await runMigrations(world.services)
    two.comeBack()
    await two.sync()
    await two.enter(patient, 'remark', '餐后')
    await two.sync()
    one.comeBack()
    await one.sync()
    expect(await entryOf(patient)).toMatchObject({
      version_id: id,
      values: { smokes: '0', height: 170, remark: '餐后' },
    })
    expect(
      await server.rows(
        `SELECT c.prop, c.server->'value' AS server, c.mine->'value' AS mine FROM conflict c JOIN entry e ON e.id = c.entry_id WHERE e.patient_id = $1`,
        [patient],
      ),
    ).toEqual([{ prop: 'remark', server: '餐后', mine: '餐前' }])
  })
})

describe('a tablet that has the release, and not yet the page that is brought to it', () => {
  /** Smoking is asked with the choices exchanged: what was 1 then means no now. */
  const turned = (columns: readonly Column[]) =>
    columns.map((column): Column =>
      column.prop === 'smokes'
        ? {
            ...column,
            dicData: [
              { label: '否', value: '1' },
              { label: '是', value: '0' },
            ],
          }
        : column,
    )

  test('shows what was entered in the words that it was entered in, takes what is typed meanwhile in them too, and then shows the new page', async () => {
    const { world } = server
    const patient = await enrol(world)
    const tablet = await Tablet.unpacked(server)
    await tablet.signIn('lin')
    const before = (await tablet.see(patient)).versionId
    await tablet.enter(patient, 'smokes', '0')
    await tablet.sync()
    const columns = turned(
      (JSON.parse((await tablet.see(patient)).page.option) as { readonly column: readonly Column[] }).column,
    ).map((column): Column => (column.prop === 'remark' ? { ...column, prop: 'words' } : column))
    const id = await testedVersion(world, { no: 4, columns })
    await releaseTested(world, id, {
      fields: [{ pageId: world.study.vitalsId, table: null, from: 'remark', to: 'words' }],
      choices: [],
    })
    await tablet.sync()

    const meanwhile = await tablet.see(patient)
    expect(meanwhile.versionId).toBe(before)
    expect(meanwhile.compiled?.page.byCode.get('smokes')?.choices).toMatchObject([
      { label: '是', value: '1' },
      { label: '否', value: '0' },
    ])
    await tablet.enter(patient, 'remark', '空腹')
    // A page that nobody began is the new one at once.
    const other = await enrol(world)
    await tablet.sync()
    expect((await tablet.see(other)).versionId).toBe(id)

    await runMigrations(world.services)
    await tablet.sync()
    expect(await entryOf(patient)).toMatchObject({ version_id: id, values: { smokes: '1', words: '空腹' } })
    const after = await tablet.see(patient)
    expect(after).toMatchObject({ versionId: id, data: { values: { smokes: '1', words: '空腹' } } })
    expect(await conflictsOf(server, patient)).toEqual([])
  })

  test('and one that keeps nothing does the same', async () => {
    const { world } = server
    const patient = await enrol(world)
    const desk = await Tablet.unpacked(server)
    await desk.signIn('lin')
    await desk.enter(patient, 'smokes', '0')
    await desk.sync()
    const { versionId: before, page } = await desk.see(patient)
    const id = await testedVersion(world, {
      no: 5,
      columns: turned((JSON.parse(page.option) as { readonly column: readonly Column[] }).column),
    })
    await releaseTested(world, id)
    const looker = await Tablet.unpacked(server)
    await looker.signInToLook('wu')
    expect((await looker.see(patient)).versionId).toBe(before)
    await runMigrations(world.services)
    const later = await Tablet.unpacked(server)
    await later.signInToLook('wu')
    expect((await later.see(patient)).versionId).toBe(id)
  })
})

describe('a page that the new version does not have', () => {
  test('is archived: the tablet lists it, shows what was entered as the version of then did, and takes nothing more for it on the screen', async () => {
    const { world } = server
    const patient = await enrol(world)
    const tablet = await Tablet.unpacked(server)
    await tablet.signIn('lin')
    const target = event(world, patient, '0')
    const page = await tablet.open(patient, target)
    page.type('term', '皮疹')
    await page.leave()
    await tablet.sync()
    const id = await testedVersion(world, { no: 6, columns: NEXT, withoutEvents: true })
    await releaseTested(world, id)
    await announce(world.services.pool, world.study, world.people.admin, [{ kind: 'version', rowId: id }])
    await runMigrations(world.services)
    await tablet.sync()

    tablet.goOffline()
    const book = valueOf(await tablet.device.casebook(patient, world.study.projectId))
    expect(book.folders.flatMap(({ pages }) => pages).map(({ entryId: one }) => one)).not.toContain(entryId(target))
    expect(book.archived).toMatchObject([
      { entryId: entryId(target), folderName: '基线', pageName: '不良事件', removableAt: null },
    ])
    expect(await tablet.see(patient, target)).toMatchObject({
      page: { pageName: '不良事件' },
      data: { values: { term: '皮疹' } },
    })

    // Who keeps nothing reads it from the server.
    const desk = await Tablet.unpacked(server)
    await desk.signInToLook('wu')
    expect(valueOf(await desk.device.casebook(patient, world.study.projectId)).archived).toMatchObject([
      { pageName: '不良事件' },
    ])
    expect(await desk.see(patient, target)).toMatchObject({ data: { values: { term: '皮疹' } } })
  })
})
