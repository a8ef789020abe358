import '#tests/src/data/support/indexedDb.ts'
import { describe, expect, test } from 'vitest'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { ConflictRow, EntryRow, InboxRow, VersionRow } from '#core/api/sync/rows.ts'
import type { ConflictView, DecisionInput } from '#src/data/shapes/types.ts'
import { CENTER, CENTER_SCOPE, PROJECT, VERSION, target, valueOf } from '#tests/offline/support/tablet.ts'
import { enrolled, entryRow, page as definedPage, project, version, ward } from '#tests/src/data/support/ward.ts'
import type { Ward } from '#tests/src/data/support/ward.ts'
import { conflictOn, held } from '#tests/src/data/support/conflicts.ts'

/** Deciding conflicts at a tablet, and what comes back from the inbox. */

const AT = '2026-11-21T08:00:00.000Z'
const REASON = { code: 'adjudication', text: '' } as const

interface Disputed {
  readonly at: Ward
  readonly entry: EntryRow
  readonly conflict: ConflictRow
  look(): Promise<ConflictView>
  decide(decision: DecisionInput): Promise<void>
  page(): Promise<Awaited<ReturnType<typeof pageOf>>>
}

async function pageOf(at: Ward, patientId: string) {
  return valueOf(await at.device.entry(PROJECT, target(patientId)))
}

/** A page with one conflict, pulled to a tablet without a network. */
async function disputed(
  facts: Partial<ConflictRow> = {},
  values: EntryRow['values'] = { weight: 70 },
  status: EntryRow['status'] = 'process',
): Promise<Disputed> {
  const at = await ward()
  const patient = await enrolled(at)
  const id = entryId(target(patient.id))
  const entry = { ...entryRow(id, patient.id, values), conflicts: 1, status }
  const conflict = conflictOn(id, facts)
  await at.pulled(CENTER_SCOPE, [
    { kind: 'entry', id, seq: 2, row: entry },
    { kind: 'conflict', id: conflict.id, seq: 3, row: conflict },
  ])
  const look = async () => valueOf(await at.device.conflict(PROJECT, id, conflict.id))
  return {
    at,
    entry,
    conflict,
    look,
    decide: async (decision) => {
      const done = await at.device.decideConflict(await look(), decision)
      if (!done.ok) throw new Error(done.error.code)
    },
    page: () => pageOf(at, patient.id),
  }
}

async function attentionOf({ device }: Ward) {
  return valueOf(await device.attention())
}

describe('a conflict at a tablet without a network', () => {
  test('is listed with its field, marks its page, and shows both values and whose they are', async () => {
    const { at, conflict, look, page } = await disputed()
    expect(await attentionOf(at)).toMatchObject([
      {
        kind: 'conflict',
        patientLabel: '01-001',
        pageName: '生命体征',
        fieldLabel: '体重',
        conflict: { id: conflict.id },
      },
    ])
    const shown = await page()
    expect([shown.mark, shown.conflicts]).toEqual([
      'conflict',
      [{ id: conflict.id, table: null, rid: null, code: 'weight' }],
    ])
    expect(await look()).toMatchObject({
      current: held(70),
      row: { mine: held(56), serverByName: '林协调', mineByName: '何协调' },
      pageName: '生命体征',
      decided: null,
      barred: null,
      kept: true,
    })
  })

  test('is decided there and then: the page shows the chosen value, and nothing needs attention any more', async () => {
    const { at, conflict, entry, decide, look, page } = await disputed()
    await decide({ choice: 'mine', to: held(56), reason: REASON })

    const shown = await page()
    expect([shown.data.values, shown.mark, shown.conflicts]).toEqual([{ weight: 56 }, 'local', []])
    expect(await attentionOf(at)).toEqual([])
    expect(valueOf(await at.device.syncState()).attention).toBe(0)
    expect(valueOf(await at.device.patients(PROJECT, {})).patients[0]?.sync).toBe('local')
    expect((await look()).decided).toMatchObject({ choice: 'mine', to: held(56), where: 'device', byName: 'crc的真名' })

    await at.sync()
    const [op] = [...at.network.booked.values()]
    expect(op).toMatchObject({
      call: 'conflict.resolve',
      entityId: entry.id,
      crfVersionId: VERSION,
      body: { conflictId: conflict.id, choice: 'mine', seen: held(70), to: held(56), reason: REASON },
    })
  })

  test('what is seen is what stands now, the own unsent correction included', async () => {
    const { at, entry, decide, look } = await disputed()
    const item = {
      table: null,
      rid: null,
      code: 'weight',
      base: held(70),
      to: held(71),
      isShow: 1 as const,
      reason: null,
    }
    await at.device.saveEntry(PROJECT, {
      target: target(entry.patientId),
      versionId: VERSION,
      items: [item],
      rows: [],
      journal: [],
      seen: null,
      progress: null,
    })
    expect((await look()).current).toEqual(held(71))
    await decide({ choice: 'server', to: held(71), reason: REASON })
    await at.sync()
    const [save, decision] = [...at.network.booked.values()]
    expect(decision).toMatchObject({
      call: 'conflict.resolve',
      after: [save?.key],
      body: { seen: held(71), to: held(71) },
    })
  })

  test('a decision that leaves the value leaves a submitted page submitted; one that changes it does not', async () => {
    const kept = await disputed({}, { weight: 70 }, 'other')
    await kept.decide({ choice: 'server', to: held(70), reason: REASON })
    expect((await kept.page()).status).toBe('other')
    const changed = await disputed({}, { weight: 70 }, 'other')
    await changed.decide({ choice: 'new', to: held(65), reason: REASON })
    expect((await changed.page()).status).toBe('process')
  })

  test('is open again when the server refuses the decision, and the refusal is listed', async () => {
    const { at, decide, page } = await disputed()
    await decide({ choice: 'mine', to: held(56), reason: REASON })
    at.network.refuse = () => ({ code: 'invalid' })
    await at.sync()
    expect((await attentionOf(at)).map(({ kind }) => kind).toSorted()).toEqual(['conflict', 'rejected'])
    expect((await page()).mark).toBe('conflict')
  })

  test('stays decided while the decision waits for the paused project', async () => {
    const { at, decide, look, page } = await disputed()
    at.network.outcome = { outcome: 'held', reason: 'project_stopped' }
    await decide({ choice: 'mine', to: held(56), reason: REASON })
    await at.pulled(PROJECT, [{ kind: 'project', id: PROJECT, seq: 4, row: { ...project, projectStatus: 'stop' } }])
    await at.sync()
    expect((await page()).data.values).toEqual({ weight: 56 })
    expect((await look()).decided).toMatchObject({ choice: 'mine', where: 'device' })
    expect((await attentionOf(at)).map(({ kind }) => kind)).toEqual(['held'])
  })

  test('of a row of a table that one deleted and another edited: deleting it hides the row from the page', async () => {
    const rid = newId()
    const row = { _rid: rid, _ord: 'a', drug: '丹参片' }
    const facts = { table: 'drugs', rid, code: '_deleted', base: held(false), server: held(false), mine: held(true) }
    const { decide, look, page } = await disputed(facts, { drugs: [row] })
    expect(await look()).toMatchObject({ current: held(false), tableRow: { no: 1, values: row } })
    await decide({ choice: 'mine', to: held(true), reason: REASON })
    expect((await page()).data.values).toEqual({ drugs: [{ ...row, _deleted: true }] })
    expect((await look()).current).toEqual(held(true))
  })

  test('on a field that a release removed is about that field, and no decision of it touches the one that has its code now', async () => {
    const { at, entry, conflict, look, decide, page } = await disputed(
      { formerVersionId: VERSION },
      { weight: '王五' },
      'other',
    )
    const option = JSON.stringify({ column: [{ prop: 'weight', label: '联系人', type: 'input' }] })
    const next: VersionRow = {
      ...version,
      id: newId(),
      versionNo: 2,
      migrates: true,
      folders: version.folders.map((folder) => ({ ...folder, pages: [{ ...definedPage, option }] })),
    }
    await at.pulled(
      PROJECT,
      [version, next].map((row, nth) => ({ kind: 'version', id: row.id, seq: 4 + nth, row })),
    )
    await at.pulled(CENTER_SCOPE, [{ kind: 'entry', id: entry.id, seq: 6, row: { ...entry, versionId: next.id } }])
    expect(await attentionOf(at)).toMatchObject([{ kind: 'conflict', fieldLabel: '体重' }])
    expect((await page()).conflicts).toMatchObject([{ id: conflict.id, former: { fieldLabel: '体重' } }])
    expect(await look()).toMatchObject({ current: held(70), option: definedPage.option })
    await decide({ choice: 'mine', to: held(56), reason: REASON })
    expect(await page()).toMatchObject({ data: { values: { weight: '王五' } }, conflicts: [], status: 'other' })
    await at.sync()
    expect([...at.network.booked.values()][0]?.body).toMatchObject({ choice: 'mine', seen: held(70), to: held(56) })
  })

  test('is only looked at by who may not enter data, and by who may not see the values', async () => {
    const { at, look } = await disputed()
    await at.pulled(PROJECT, [{ kind: 'project', id: PROJECT, seq: 4, row: { ...project, permissions: [] } }])
    expect((await look()).barred).toBe('no_right')
    const masked = await disputed({ server: held('***'), mine: held('***') })
    expect((await masked.look()).barred).toBe('masked')
    // Asterisks that the server says nothing is masked by were typed.
    const typed = await disputed({ server: held('***'), mine: held('王五'), masked: false })
    expect((await typed.look()).barred).toBeNull()
  })

  test('says how somebody else has decided it', async () => {
    const { at, conflict, look, page } = await disputed()
    const resolution = {
      choice: 'server' as const,
      to: held(70),
      by: newId(),
      byName: '周主任',
      at: AT,
      reason: REASON,
    }
    await at.pulled(CENTER_SCOPE, [
      { kind: 'conflict', id: conflict.id, seq: 5, row: { ...conflict, state: 'resolved', resolution } },
    ])
    expect((await look()).decided).toMatchObject({ byName: '周主任', where: 'server' })
    expect((await page()).conflicts).toEqual([])
    expect(await attentionOf(at)).toEqual([])
  })
})

describe('what the server took into the inbox', () => {
  async function inInbox() {
    const at = await ward()
    const patient = await enrolled(at)
    at.network.outcome = { outcome: 'inbox', reason: 'right_withdrawn' }
    const item = {
      table: null,
      rid: null,
      code: 'weight',
      base: held(null),
      to: held(70),
      isShow: 1 as const,
      reason: null,
    }
    await at.device.saveEntry(PROJECT, {
      target: target(patient.id),
      versionId: VERSION,
      items: [item],
      rows: [],
      journal: [],
      seen: null,
      progress: null,
    })
    await at.sync()
    const [key = ''] = [...at.network.booked.keys()]
    const hear = async (facts: Partial<InboxRow>) => {
      const { userId, realName } = at.crc.owner
      const row: InboxRow = {
        id: key,
        call: 'entry.save',
        reason: 'right_withdrawn',
        state: 'open',
        author: userId,
        authorName: realName,
        entityId: entryId(target(patient.id)),
        centerId: CENTER,
        actedAt: AT,
        receivedAt: AT,
        decidedByName: null,
        decidedAt: null,
        note: null,
        ...facts,
      }
      await at.pulled(PROJECT, [{ kind: 'inbox', id: key, seq: 9, row }])
    }
    return { at, key, hear }
  }

  test('waits for the data managers, by name, with what was entered', async () => {
    const { at, key, hear } = await inInbox()
    const manager = {
      id: newId(),
      userId: newId(),
      realName: '许数据',
      userRole: 'DBD' as const,
      userRoleName: '',
      status: 'active' as const,
      lastLoginTime: null,
    }
    await at.pulled(PROJECT, [{ kind: 'member', id: manager.id, seq: 4, row: manager }])
    await hear({})
    expect(await attentionOf(at)).toMatchObject([
      { kind: 'inbox', reason: 'right_withdrawn', waitsFor: ['许数据'], decision: null },
    ])
    const option = version.folders[0]?.pages[0]?.option
    expect(valueOf(await at.device.entered(key))).toEqual({
      option,
      items: [{ table: null, rid: null, code: 'weight', to: held(70) }],
      facts: [],
    })
  })

  test('vanishes from what needs attention once it was released', async () => {
    const { at, hear } = await inInbox()
    await hear({ state: 'released', decidedByName: '许数据', decidedAt: AT, note: '已核实' })
    expect(await attentionOf(at)).toEqual([])
    expect(valueOf(await at.device.syncState()).attention).toBe(0)
    expect(valueOf(await at.device.receipts())).toMatchObject([{ outcome: 'inbox', inbox: 'released' }])
  })

  test('comes back with the note of who returned it, until a person takes note; its receipt stays readable', async () => {
    const { at, key, hear } = await inInbox()
    await hear({ state: 'returned', decidedByName: '许数据', decidedAt: AT, note: '请在新中心录入' })
    expect(await attentionOf(at)).toMatchObject([
      { kind: 'returned', decision: { byName: '许数据', note: '请在新中心录入' }, waitsFor: [] },
    ])
    expect(valueOf(await at.device.syncState()).attention).toBe(1)

    expect((await at.device.noteReturn(key)).ok).toBe(true)
    expect(await attentionOf(at)).toEqual([])
    expect(valueOf(await at.device.syncState()).attention).toBe(0)
    expect(valueOf(await at.device.receipts())).toMatchObject([{ inbox: 'returned', note: '请在新中心录入' }])
    expect(valueOf(await at.device.entered(key)).items).toHaveLength(1)
  })
})
