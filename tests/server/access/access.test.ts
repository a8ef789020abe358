import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#core/api/table.ts'
import type { CallId } from '#core/api/table.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { auditSubjects } from '#server/database/auditActions.ts'
import type { AuditSubject } from '#server/database/auditActions.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { finish, fileOf, nameFiles, piece, releaseWithPhotos, start } from '#tests/server/areas/attachment/support.ts'
import { png } from '#tests/core/files/samples.ts'
import { createTestServer, PASSWORD } from '#tests/server/support/app.ts'
import type { Client, TestServer } from '#tests/server/support/app.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { addMember, call, enrol, makeWorld, refusal, vitals } from '#tests/server/support/world.ts'
import {
  actionsBySubject,
  callsBeforePasswordChange,
  callsByRight,
  callsOfBlockedDevices,
} from '#tests/server/access/table.ts'

/** Every call, every kind of audit row, upload, key and word of a device, over roles, centers and passes (table.ts). */

const served = calls.filter(({ servedBy }) => servedBy !== null)
const WHO = { none: 'anybody', link: 'signed address', admin: 'administrator' } as const
const sorted = (texts: Iterable<string>): string[] => [...texts].toSorted()

describe('the table', () => {
  it('names every call that is served, under the right that it asks for', () => {
    const rights = Map.groupBy(served, ({ auth, permission }): string =>
      auth === 'user' ? (permission ?? 'member') : WHO[auth],
    )
    for (const right of new Set([...rights.keys(), ...Object.keys(callsByRight)])) {
      expect({ right, calls: sorted((rights.get(right) ?? []).map(({ id }) => id)) }).toEqual({
        right,
        calls: sorted(callsByRight[right] ?? []),
      })
    }
  })

  it('names every action that is booked, under what it is about', () => {
    const subjects = Map.groupBy(Object.entries(auditSubjects), ([, subject]) => subject)
    for (const [subject, actions] of Object.entries(actionsBySubject)) {
      expect({
        subject,
        actions: sorted((subjects.get(subject as AuditSubject) ?? []).map(([action]) => action)),
      }).toEqual({ subject, actions: sorted(actions) })
    }
    expect(sorted(subjects.keys())).toEqual(sorted(Object.keys(actionsBySubject)))
  })

  it('knows every action that the server’s code names', () => {
    const root = join(import.meta.dirname, '..', '..', '..', 'server')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.startsWith('demo/course'),
    )
    const named = files.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/\baction: '([a-z_]+\.[a-zA-Z_.]+)'/g)].map(
        ([, action = '']) => action,
      ),
    )
    expect(named.length).toBeGreaterThan(60)
    expect(sorted(new Set(named.filter((action) => !Object.hasOwn(auditSubjects, action))))).toEqual([])
  })
})

describe('every call', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await createTestServer()
  })
  afterAll(() => server.close())

  async function codes(client: Client): Promise<ReadonlyMap<string, string | undefined>> {
    const found = new Map<string, string | undefined>()
    for (const { id, auth } of served) {
      if (auth === 'none' || auth === 'link' || id === 'auth.logout') continue
      const answer = await client.call(id as CallId, { params: { id: newId(), userId: newId() } })
      found.set(id, answer.error?.code)
    }
    return found
  }

  async function person(
    account: string,
    more: { readonly mustChange?: boolean } = {},
  ): Promise<{ readonly client: Client; readonly id: string; readonly deviceId: string }> {
    const id = await server.makeUser(account, more)
    const client = server.visitor()
    client.deviceId = newId()
    await client.enter(account, PASSWORD)
    return { client, id, deviceId: client.deviceId }
  }

  const otherThan = (found: ReadonlyMap<string, string | undefined>, code: string): readonly string[] =>
    [...found].filter(([, one]) => one !== code).map(([id]) => id)

  it('is refused to whoever is not signed in, and to an account that is disabled', async () => {
    expect(otherThan(await codes(server.visitor()), 'unauthenticated')).toEqual([])
    const { client, id } = await person('gone')
    await server.database.pool.query(`UPDATE app_user SET status = 'disabled' WHERE id = $1`, [id])
    expect(otherThan(await codes(client), 'account_disabled')).toEqual([])
  })

  it('is refused on a blocked device, but for what brings what was entered there', async () => {
    const { client, deviceId } = await person('robbed')
    await server.database.pool.query('INSERT INTO device (id, blocked) VALUES ($1, true)', [deviceId])
    expect(sorted([...otherThan(await codes(client), 'device_blocked'), 'auth.logout'])).toEqual(
      sorted(callsOfBlockedDevices),
    )
  })

  it('waits for a first password to be changed, but for changing it', async () => {
    const { client } = await person('fresh', { mustChange: true })
    expect(sorted([...otherThan(await codes(client), 'password_change_required'), 'auth.logout'])).toEqual(
      sorted(callsBeforePasswordChange),
    )
  })

  it('of administrators is refused to everybody else', async () => {
    const { client } = await person('plain')
    const found = await codes(client)
    for (const id of callsByRight['administrator'] ?? []) expect([id, found.get(id)]).toEqual([id, 'forbidden'])
  })
})

describe('within a study', () => {
  let world: World
  let readers: readonly Reader[]
  const places = [
    { center: 'north', pass: 1 },
    { center: 'north', pass: 2 },
    { center: 'south', pass: 1 },
  ] as const
  type Place = (typeof places)[number]

  interface Reader {
    readonly name: string
    readonly who: Person
    readonly centers: readonly ('north' | 'south')[]
    readonly pass: 1 | 2
    /** Sees both passes, and compares them. */
    readonly merges: boolean
    /** May enter, and so bring files. */
    readonly enters: boolean
    /** May read the trail. */
    readonly audits: boolean
    /** Sees only some patients. */
    readonly narrow: boolean
  }

  beforeAll(async () => {
    world = await makeWorld()
    const { services, study } = world
    const made: Reader[] = []
    for (const role of ['PI', 'PM', 'CRA', 'CRC', 'DBD'] as const) {
      for (const centers of [['north'], ['south'], ['north', 'south']] as const) {
        for (const pass of [1, 2] as const) {
          for (const narrow of [false, true]) {
            if (narrow && role !== 'CRC') continue
            const name = `${role} ${centers.join('+')} ${pass}${narrow ? ' self' : ''}`
            const person = await addMember(
              services,
              study,
              name,
              role,
              centers.map((center) => study[center]),
            )
            await services.pool.query('UPDATE member SET entry_pass = $2, data_scope = $3 WHERE user_id = $1', [
              person.userId,
              pass,
              narrow ? 'self' : 'center',
            ])
            await services.pool.query('INSERT INTO device (id) VALUES ($1)', [person.deviceId])
            made.push({
              name,
              who: person,
              centers,
              pass,
              merges: role === 'DBD',
              enters: role === 'PI' || role === 'CRC',
              audits: role !== 'CRC',
              narrow,
            })
          }
        }
      }
    }
    readers = made
  })
  afterAll(() => world.close())

  const sees = (reader: Reader, { center, pass }: Place): boolean =>
    reader.centers.includes(center) && (reader.merges || reader.pass === pass)

  /** Who reads a row, by what it is about. */
  const reads: Readonly<Record<Exclude<AuditSubject, 'system'>, (reader: Reader, place: Place) => boolean>> = {
    entry: sees,
    file: sees,
    operation: sees,
    gap: (reader, { center }) => reader.merges && reader.centers.includes(center),
    patient: (reader, { center }) => reader.centers.includes(center),
    query: sees,
    center: (reader, { center }) => reader.centers.includes(center),
    project: () => true,
  }

  function draftOf(
    action: string,
    subject: AuditSubject,
    { center, pass }: Place,
    patientId: string,
    mark: string,
  ): NewAuditRow {
    const centerId = world.study[center]
    const entry = { centerId, patientId, entryId: entryId({ ...vitals(world, patientId), pass }) }
    const all: Readonly<Record<AuditSubject, Omit<NewAuditRow, 'action'>>> = {
      entry: { ...entry, pass },
      file: { ...entry, pass },
      gap: entry,
      operation: { ...entry, pass },
      patient: { centerId, patientId },
      query: { ...entry, pass },
      center: { centerId },
      project: {},
      system: {},
    }
    return { action, ...all[subject], new: mark, reasonText: mark }
  }

  it('every kind of audit row is read by those who may see what it is about, and by nobody else', async () => {
    const rows: { readonly mark: string; readonly subject: Exclude<AuditSubject, 'system'>; readonly place: Place }[] =
      []
    const drafts: NewAuditRow[] = []
    for (const place of places) {
      const patientId = await enrol(
        world,
        place.center === 'north' ? world.people.lin : world.people.south,
        world.study[place.center],
      )
      for (const [action, subject] of Object.entries(auditSubjects)) {
        if (subject === 'system') continue
        const mark = `${action} in ${place.center} ${place.pass}`
        rows.push({ mark, subject, place })
        drafts.push(draftOf(action, subject, place, patientId, mark))
        if (subject !== 'query') continue
        // About a visit or a patient: of no page, and so of no pass.
        const ofVisit = `${mark} of a visit`
        rows.push({ mark: ofVisit, subject: 'patient', place })
        drafts.push(draftOf(action, 'patient', place, patientId, ofVisit))
      }
    }
    await withTransaction(world.services.pool, (transaction) =>
      commitProject(transaction, {
        projectId: world.study.projectId,
        statuses: ['process'],
        stamp: serverStamp(world.services),
        audit: drafts,
        changes: [],
      }),
    )
    const listFor = ({ who }: Reader, current = 1) =>
      call(world, who, 'audit.list', { query: { projectId: world.study.projectId, current, size: 500 } })
    const readAll = async (reader: Reader) => {
      const first = await listFor(reader)
      const others = Array.from({ length: Math.max(0, first.pages - 1) }, (_, at) => listFor(reader, at + 2))
      return [first, ...(await Promise.all(others))].flatMap(({ records }) => records)
    }
    for (const reader of readers.filter(({ audits }) => !audits))
      expect(await refusal(listFor(reader))).toBe('forbidden')
    for (const reader of readers.filter(({ audits }) => audits)) {
      const records = await readAll(reader)
      const read = new Set(records.map(({ reasonText }) => reasonText))
      // What is about a file whose page waits, or was written to a patient, tells whom it is about.
      const told = records.filter(
        ({ action, newValue, reasonText }) =>
          (action === 'message.create' || action.startsWith('attachment.')) && newValue === reasonText,
      )
      expect(reader.enters ? [] : told).toEqual([])
      // What was verified is not for who enters.
      const isTheirs = (mark: string): boolean => !(reader.enters && mark.startsWith('review.'))
      const wrong = rows
        .filter(({ mark, subject, place }) => read.has(mark) !== (isTheirs(mark) && reads[subject](reader, place)))
        .map(({ mark }) => `${reader.name}: ${mark}`)
      expect(wrong).toEqual([])
    }
  })

  it('a row from before rows had to say their pass is read under that of its entry', async () => {
    const patientId = await enrol(world)
    const target = { ...vitals(world, patientId), pass: 2 as const }
    await world.database.ownerPool.query(
      `INSERT INTO entry (id, project_id, center_id, patient_id, version_id, folder_id, folder_repeat, page_id, page_repeat, pass, status, rev, "values", missing, data_hash, updated_by)
       VALUES ($1, $2, $3, $4, $5, $6, '0', $7, '0', 2, 'process', 1, '{}', '{}', 'x', $8)`,
      [
        entryId(target),
        world.study.projectId,
        world.study.north,
        patientId,
        world.study.versionId,
        world.study.folderId,
        world.study.vitalsId,
        world.people.lin.userId,
      ],
    )
    for (const action of ['region.create', 'attachment.store', 'gap.ignore']) {
      await world.database.ownerPool.query(
        `INSERT INTO audit (id, project_id, seq, ord, format, action, center_id, patient_id, entry_id, user_name, occurred_at, received_at, value_hash, row_hash)
         VALUES ($1, $2, 999999, $6, 1, $3, $4, $5, $7, 'x', now(), now(), 'x', 'x')`,
        [newId(), world.study.projectId, action, world.study.north, patientId, action.length, entryId(target)],
      )
    }
    for (const reader of readers.filter(({ audits }) => audits)) {
      const { records } = await call(world, reader.who, 'audit.list', {
        query: { projectId: world.study.projectId, patientId, current: 1, size: 100 },
      })
      const old = records.filter(({ seq }) => seq === 999_999).map(({ action }) => action)
      const inNorth = reader.centers.includes('north')
      expect([reader.name, sorted(old)]).toEqual([
        reader.name,
        inNorth && reader.merges
          ? ['attachment.store', 'gap.ignore', 'region.create']
          : inNorth && reader.pass === 2
            ? ['attachment.store', 'region.create']
            : [],
      ])
    }
    await world.database.ownerPool.query('DELETE FROM audit WHERE seq = 999999')
  })

  it('keys are for the centers and the pass of whom they are given, for their own device, and not where a colleague’s rows would open', async () => {
    const { projectId } = world.study
    for (const reader of readers) {
      const asked = places.map(({ center, pass }) =>
        scopeText({ kind: 'center', projectId, centerId: world.study[center], pass }),
      )
      const { scopes, withheld } = await call(world, reader.who, 'sync.keys', {
        body: { deviceId: reader.who.deviceId, scopes: asked },
      })
      const expected = places.flatMap(({ center, pass }, at) =>
        reader.centers.includes(center) && reader.pass === pass ? [asked[at]] : [],
      )
      expect([reader.name, scopes.map(({ scope }) => scope)]).toEqual([reader.name, expected])
      for (const { sensitive } of scopes) expect(sensitive !== null).toBe(reader.enters)
      expect(withheld).toBeUndefined()
      const colleague = readers.find(
        (one) => one !== reader && !one.narrow && one.pass === reader.pass && one.centers.length === 2,
      )?.who
      expect(
        await refusal(
          call(world, reader.who, 'sync.keys', { body: { deviceId: colleague?.deviceId ?? newId(), scopes: asked } }),
        ),
      ).toBe('forbidden')
      // Signed in on the colleague's very tablet.
      const there = await call(world, { ...reader.who, deviceId: colleague?.deviceId ?? '' }, 'sync.keys', {
        body: { deviceId: colleague?.deviceId ?? '', scopes: asked },
      })
      const heldThere = new Set(asked.filter((scope) => expected.includes(scope)))
      const others = await world.services.pool.query<{ scope: string }>(
        'SELECT DISTINCT scope FROM device_key_user WHERE device_id = $1 AND user_id <> $2',
        [colleague?.deviceId, reader.who.userId],
      )
      const shared = new Set(others.rows.map(({ scope }) => scope))
      expect([reader.name, there.scopes.map(({ scope }) => scope)]).toEqual([
        reader.name,
        [...heldThere].filter((scope) => scope !== undefined && (!reader.narrow || !shared.has(scope))),
      ])
      const notThere = reader.narrow ? [...heldThere].filter((scope) => scope !== undefined && shared.has(scope)) : []
      expect([reader.name, there.withheld ?? []]).toEqual([reader.name, notThere])
      // What can be kept on a device says so before anybody asks for keys.
      const offered = await call(world, { ...reader.who, deviceId: colleague?.deviceId ?? '' }, 'sync.scopes', {
        query: { projectId },
      })
      expect([
        reader.name,
        sorted(offered.filter((scope) => scope.withheld === true).map(({ scope }) => scope)),
      ]).toEqual([reader.name, sorted(notThere)])
    }
  })

  it('an upload is its author’s and of those who may enter in that center and pass, whoever reads the page', async () => {
    const version = await releaseWithPhotos(world)
    for (const reader of readers) {
      const file = fileOf(png(2, 2))
      const target = await nameFiles(world, world.people.lin, version, await enrol(world), [file])
      const may = reader.enters && !reader.narrow && reader.centers.includes('north') && reader.pass === 1
      const began = await refusal(start(world, reader.who, target, file))
      expect([reader.name, began === null]).toEqual([reader.name, may])
      await start(world, world.people.lin, target, file)
      const other = { ...file, content: png(3, 3).subarray(0, file.content.length) }
      expect([reader.name, (await refusal(piece(world, reader.who, other, 0))) === null]).toEqual([reader.name, may])
      await finish(world, reader.who, file).catch(() => undefined)
      // Whatever anybody did, its author brings it in the end.
      await start(world, world.people.lin, target, file)
      await piece(world, world.people.lin, file, 0)
      expect([reader.name, await finish(world, world.people.lin, file)]).toMatchObject([
        reader.name,
        { state: 'stored' },
      ])
    }
  })
})
