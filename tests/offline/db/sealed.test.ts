import { expect, test } from 'vitest'
import type { Dexie } from 'dexie'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { Journal } from '#offline/draft/journal.ts'
import { setAside } from '#offline/outbox/setAside.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import {
  CENTER,
  CENTER_SCOPE,
  PROJECT,
  VERSION,
  change,
  crcAtTablet,
  enrolmentOf,
  queue,
  saveOf,
  syncOf,
  target,
} from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'

/** Values that must be nowhere on the disk, in any encoding that a search through raw files would find. */
const PLANTED = [
  'Planted-Name-王小明',
  'Planted-13912345678',
  'Planted-Value-舌淡红',
  'Planted-Draft-脉弦',
  'Planted-Number-007',
  'Planted-Reason',
  'first password',
  'crc的真名',
]

test('the raw databases hold nothing of what was entered, pulled, journalled, refused or acknowledged', async () => {
  const crc = await crcAtTablet()
  const network = new Network()
  network.numbers = ['Planted-Number-007']
  const patient = newId()
  const at = '2026-11-21T08:00:00.000Z'
  const identity = { name: 'Planted-Name-王小明', mobile: 'Planted-13912345678', email: null, birthDate: null }
  const row = {
    id: newId(),
    centerId: CENTER,
    no: 'Planted-Number-007',
    mark: '0000',
    initials: 'WXM',
    sex: 'M',
    enrolledOn: null,
    identity,
    rev: 1,
    deleted: false,
    createdBy: newId(),
    createdAt: at,
    updatedAt: at,
  }
  network.changes = [{ t: 'put', kind: 'patient', id: row.id, seq: 1, row }]

  await queue(crc, enrolmentOf(patient, 'Planted-Name-王小明'))
  await runCycle(syncOf(crc, network.fetch))
  network.refuse = () => ({
    code: 'invalid',
    message: 'Planted-Value-舌淡红',
    fields: [{ path: 'tongue', code: 'type', params: { value: 'Planted-Value-舌淡红' } }],
  })
  const refused = await queue(crc, saveOf(change(target(patient), 'tongue', null, 'Planted-Value-舌淡红')))
  await runCycle(syncOf(crc, network.fetch))
  await setAside(crc.storage, crc.author, refused.key, 'Planted-Reason')
  await queue(crc, saveOf(change(target(patient), 'tongue', null, 'Planted-Value-舌淡红')))
  const journal = new Journal(crc.storage, () => crc.author.ring, crc.owner.userId, newId())
  const of = target(patient)
  const [step] = change(of, 'pulse', null, 'Planted-Draft-脉弦').journal
  if (step !== undefined)
    journal.append(
      {
        entryId: entryId(of),
        patientId: patient,
        scope: CENTER_SCOPE,
        projectId: PROJECT,
        versionId: VERSION,
        target: of,
      },
      step,
    )
  await journal.flush()

  const raw = await rawContent([crc.storage.work, crc.storage.cache])
  expect(raw.rows).toBeGreaterThan(8)
  const found: string[] = []
  for (const value of PLANTED) {
    for (const encoded of [
      value,
      JSON.stringify(value),
      Buffer.from(value).toString('base64').slice(0, -4),
      encodeURIComponent(value),
    ]) {
      if (raw.text.includes(encoded)) found.push(value)
    }
  }
  expect(found).toEqual([])
})

/** Every record of every table, with its bytes as text, as one who looks through the files would see them. */
async function rawContent(databases: readonly Dexie[]): Promise<{ readonly text: string; readonly rows: number }> {
  let text = ''
  let rows = 0
  for (const db of databases) {
    for (const table of db.tables) {
      for (const record of (await table.toArray()) as unknown[]) {
        rows += 1
        text += flatten(record)
      }
    }
  }
  return { text, rows }
}

function flatten(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8') + Buffer.from(value).toString('utf16le')
  if (value instanceof CryptoKey) {
    expect(value.extractable).toBe(false)
    return ''
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, inner]) => `${key}=${flatten(inner)};`)
      .join('')
  return String(value as string | number | boolean | null | undefined)
}
