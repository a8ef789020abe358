import { beforeEach, describe, expect, it } from 'vitest'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { queryDeed } from '#core/api/calls/review/query.ts'
import { entryId } from '#core/derivedIds.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { pdf, png } from '#tests/core/files/samples.ts'
import {
  contentOf,
  fileOf,
  sha256,
  start,
  startOfQuery,
  uploadOfQuery,
} from '#tests/server/areas/attachment/support.ts'
import type { TestFile } from '#tests/server/areas/attachment/support.ts'
import { act, ask, askedByRule, raise, shown, trail } from '#tests/server/areas/query/support.ts'
import type { Named } from '#tests/server/areas/query/support.ts'
import { startDoubleEntry } from '#tests/server/support/passes.ts'
import type { Person } from '#tests/server/support/world.ts'
import {
  addMember,
  call,
  enrol,
  pull,
  queryPlace,
  questionOn,
  refusal,
  setStatus,
  vitals,
} from '#tests/server/support/world.ts'
import { worldForEachTest } from '#tests/server/support/worldFor.ts'

/** Files of what is asked and answered: as safe as those of a page, and as secret as the query. */

const world = worldForEachTest()
let patient: string
beforeEach(async () => {
  patient = await enrol(world)
})

const photo = (name = '化验单.png'): TestFile => fileOf(png(64, 48, 300), name)
const bringing = (...files: readonly TestFile[]) => ({ files: files.map(({ reference }) => ({ ...reference })) })
const filesIn = async (who: Person, { id }: Pick<Named, 'id'>) =>
  (await shown(world, who))
    .find(({ query }) => query.id === id)
    ?.query.thread.map(({ files = [] }) => files.map(({ name, state }) => [name, state]))
/** How somebody fares who wants to see a file: its content and its small picture. */
const looks = async (who: Person, { reference: { id } }: TestFile) => [
  await refusal(contentOf(world, who, id)),
  await refusal(call(world, who, 'attachment.thumb', { id })),
]
const booked = async (who: Person): Promise<readonly string[]> => {
  const { records } = await call(world, who, 'audit.list', {
    query: { projectId: world.study.projectId, patientId: patient, kind: 'files', current: 1, size: 20 },
  })
  return records.map(({ action, newValue }) => `${action} ${JSON.stringify(newValue)}`)
}

describe('a file of an answer', () => {
  it('comes after the answer that names it, and is seen in the thread by who sees the query; each look is booked', async () => {
    const { lin, wu, monitor } = world.people
    const [file, scan] = [photo(), fileOf(pdf(), '报告.pdf', 'application/pdf')]
    const asked = await ask(world, monitor, patient)
    expect(await refusal(startOfQuery(world, lin, asked.id, file))).toBe('waits_for_earlier')
    await act(world, lin, asked, 'answer', { text: null, category: 'confirmed', ...bringing(file, scan) })
    expect(await filesIn(monitor, asked)).toEqual([
      [],
      [
        ['化验单.png', 'expected'],
        ['报告.pdf', 'expected'],
      ],
    ])
    expect(await looks(monitor, file)).toEqual(['not_found', 'not_found'])
    expect(await uploadOfQuery(world, lin, asked.id, file)).toMatchObject({ state: 'stored' })
    // A colleague with the same tablet brings the other; what has come, comes once.
    expect(await uploadOfQuery(world, wu, asked.id, scan)).toMatchObject({ state: 'stored' })
    expect(await startOfQuery(world, wu, asked.id, file)).toMatchObject({ state: 'stored', received: 300 })
    expect(await filesIn(monitor, asked)).toMatchObject([
      [],
      [
        [expect.any(String), 'stored'],
        [expect.any(String), 'stored'],
      ],
    ])
    expect(await contentOf(world, monitor, file.reference.id)).toEqual(Buffer.from(file.content))
    expect(await trail(world, patient)).toMatchObject([
      { action: 'query.raise', who: 'monitor (测试)' },
      { action: 'query.answer', who: 'lin (测试)', to: { files: [{ ...file.reference }, { ...scan.reference }] } },
      { action: 'query.fileStore', who: 'lin (测试)', to: { name: '化验单.png', hash: file.reference.hash } },
      { action: 'query.fileStore', who: 'wu (测试)', to: { name: '报告.pdf' } },
      { action: 'query.fileView', who: 'monitor (测试)', to: { name: '化验单.png', hash: file.reference.hash } },
    ])
    expect(await booked(monitor)).toHaveLength(3)
    expect(await verifyChain(world.services.pool, world.study.projectId)).toMatchObject({ holds: true })
  })

  it('that has come is told to the tablets of the center, as the answer was', async () => {
    const { lin, monitor } = world.people
    const { projectId, north } = world.study
    const file = photo()
    const asked = await ask(world, monitor, patient)
    await act(world, lin, asked, 'answer', bringing(file))
    const center = scopeText({ kind: 'center', projectId, centerId: north, pass: 1 })
    /** What is pulled of queries since a change, and up to which. */
    const told = async (since: number) => {
      const lines = await pull(world, lin, center, since)
      const end = lines.find((line) => line.t === 'end')?.cursor ?? since
      return { rows: lines.flatMap((line) => (line.t === 'put' && line.kind === 'query' ? [line.row] : [])), end }
    }
    const answered = await told(1)
    expect(answered.rows).toMatchObject([{ thread: [{}, { files: [{ state: 'expected' }] }] }])
    expect((await told(answered.end)).rows).toEqual([])
    await uploadOfQuery(world, lin, asked.id, file)
    expect((await told(answered.end)).rows).toMatchObject([
      { thread: [{}, { files: [{ ...file.reference, state: 'stored' }] }] },
    ])
  })

  it('is the one that was named, of the query that named it, and of no page', async () => {
    const { lin, monitor, stranger } = world.people
    const file = photo()
    const [asked, other] = [await ask(world, monitor, patient), await ask(world, monitor, patient)]
    await act(world, lin, asked, 'answer', bringing(file))
    const forged = { ...file, reference: { ...file.reference, hash: sha256(pdf()) } }
    expect(await refusal(startOfQuery(world, lin, asked.id, forged))).toBe('already_exists')
    expect(await refusal(startOfQuery(world, lin, other.id, file))).toBe('waits_for_earlier')
    expect(await refusal(start(world, lin, vitals(world, patient), file))).toBe('waits_for_earlier')
    expect(await refusal(startOfQuery(world, stranger, asked.id, file))).toBe('not_found')
    await uploadOfQuery(world, lin, asked.id, file)
    expect(await refusal(startOfQuery(world, lin, other.id, file))).toBe('already_exists')
    expect(await refusal(call(world, lin, 'attachment.detail', { id: file.reference.id }))).toBe('not_found')
    const images = { query: { patientId: patient, current: 1, size: 10 } }
    expect((await call(world, lin, 'attachment.images', images)).total).toBe(0)
  })

  it('is not what its author only saw in the field', async () => {
    const { lin, monitor } = world.people
    const file = photo()
    const asked = await ask(world, monitor, patient)
    await act(world, lin, asked, 'answer', { seen: { value: [{ ...file.reference }], missing: null } })
    expect(await refusal(startOfQuery(world, lin, asked.id, file))).toBe('waits_for_earlier')
    expect(await refusal(start(world, lin, vitals(world, patient), file))).toBe('waits_for_earlier')
  })

  it.each([
    ['six files', { act: 'answer', count: 6, text: '见附件' }, ['too_big']],
    ['the same file twice', { act: 'answer', count: 1, twice: true, text: '见附件' }, ['custom']],
    ['files with a closing, which says nothing', { act: 'close', count: 1, text: null }, ['custom']],
    ['a file and neither words nor a kind', { act: 'answer', count: 1, text: null }, ['custom']],
    ['five files with words', { act: 'answer', count: 5, text: '见附件' }, []],
  ])('is said within bounds: %s', (_, { act: deed, count, twice = false, text }: Deed, codes) => {
    const files = Array.from({ length: count }, () => ({ ...photo().reference }))
    const body = { id: patient, projectId: patient, patientId: patient, act: deed, text, category: null }
    const said = queryDeed.safeParse({ ...body, files: twice ? [...files, ...files] : files })
    expect(said.error?.issues.map(({ code }) => code) ?? []).toEqual(codes)
  })
  interface Deed {
    readonly act: string
    readonly count: number
    readonly text: string | null
    readonly twice?: boolean
  }
})

describe('a file of a question', () => {
  it.each([
    ['a patient', { folderId: null, folderRepeat: null, pageId: null, pageRepeat: null, pass: null }],
    ['a visit', { pageId: null, pageRepeat: null, pass: null }],
    ['a page', {}],
  ] as const)('about %s comes as well', async (_, part: Partial<QueryPlace>) => {
    const { lin, monitor } = world.people
    const file = photo()
    const asked = await ask(world, monitor, patient, { place: queryPlace(world, patient, part), ...bringing(file) })
    await uploadOfQuery(world, monitor, asked.id, file)
    expect(await contentOf(world, lin, file.reference.id)).toEqual(Buffer.from(file.content))
    expect((await trail(world, patient)).map(({ action }) => action)).toEqual([
      'query.raise',
      'query.fileStore',
      'query.fileView',
    ])
  })
})

describe('nobody sees a file', () => {
  it('of another center, of a patient who is not theirs, or of the other pass', async () => {
    const { lin, wu, south, monitor, manager } = world.people
    await startDoubleEntry(world)
    const file = photo()
    const asked = await ask(world, manager, patient, {
      place: queryPlace(world, patient, { code: 'weight', pass: 2 }),
      ...bringing(file),
    })
    // Nor does somebody bring it who does not see it.
    for (const who of [lin, south, monitor])
      expect(await refusal(startOfQuery(world, who, asked.id, file))).toBe('not_found')
    await uploadOfQuery(world, manager, asked.id, file)
    for (const who of [lin, south, monitor]) expect(await looks(who, file)).toEqual(['not_found', 'not_found'])
    for (const who of [wu, manager]) expect(await refusal(contentOf(world, who, file.reference.id))).toBe(null)
    await world.services.pool.query(`UPDATE member SET data_scope = 'self' WHERE user_id = $1`, [wu.userId])
    expect(await looks(wu, file)).toEqual(['not_found', 'not_found'])
  })

  it('of a candidate at a site, whose trail is silent about it too', async () => {
    const { lin, monitor, manager } = world.people
    const pi = await addMember(world.services, world.study, 'pi', 'PI', [world.study.north])
    const file = photo()
    const candidate = await ask(world, monitor, patient, { isCandidate: true, ...bringing(file) })
    expect(await refusal(startOfQuery(world, lin, candidate.id, file))).toBe('not_found')
    await uploadOfQuery(world, monitor, candidate.id, file)
    for (const who of [lin, pi]) expect(await looks(who, file)).toEqual(['not_found', 'not_found'])
    expect(await refusal(contentOf(world, manager, file.reference.id))).toBe(null)
    expect(await booked(pi)).toEqual([])
    expect(await booked(monitor)).toHaveLength(2)
    await act(world, manager, candidate, 'promote')
    expect(await filesIn(lin, candidate)).toEqual([[['化验单.png', 'stored']], []])
    expect(await refusal(contentOf(world, lin, file.reference.id))).toBe(null)
    expect(await booked(pi)).toHaveLength(3)
  })

  it('of a query about a field that is masked for them, nor its name, by no road', async () => {
    const { lin, monitor, manager } = world.people
    const file = photo('张三的身份证.png')
    const asked = await askedByRule(world, patient, { place: { code: 'contact' } })
    await act(world, lin, asked, 'answer', { text: '见附件', ...bringing(file) })
    await uploadOfQuery(world, lin, asked.id, file)
    expect(await refusal(contentOf(world, lin, file.reference.id))).toBe(null)
    for (const who of [monitor, manager]) {
      expect(await looks(who, file)).toEqual(['not_found', 'not_found'])
      expect(JSON.stringify(await shown(world, who))).not.toContain('张三')
      const { records } = await call(world, who, 'audit.list', {
        query: { projectId: world.study.projectId, patientId: patient, current: 1, size: 20 },
      })
      expect(JSON.stringify(records)).not.toContain('张三')
    }
    expect(JSON.stringify(await shown(world, lin))).toContain('张三')
  })
})

describe('while what was said waits', () => {
  it('for a decision, its file comes, and is seen by who said it and who decides; then by all', async () => {
    const { lin, wu, monitor, manager } = world.people
    const file = photo()
    const asked = await ask(world, monitor, patient)
    await setStatus(world, 'close')
    const { receipt } = await act(world, lin, asked, 'answer', { text: '见附件', ...bringing(file) })
    expect(receipt).toMatchObject({ outcome: 'inbox' })
    expect(await uploadOfQuery(world, lin, asked.id, file)).toMatchObject({ state: 'stored' })
    // What was said of another patient than the query is of names nothing.
    const [astray, other] = [photo(), await enrol(world)]
    await act(world, lin, { id: asked.id, patientId: other }, 'answer', bringing(astray))
    expect(await refusal(startOfQuery(world, lin, asked.id, astray))).toBe('waits_for_earlier')
    for (const who of [wu, monitor]) expect(await looks(who, file)).toEqual(['not_found', 'not_found'])
    for (const who of [lin, manager]) expect(await refusal(contentOf(world, who, file.reference.id))).toBe(null)
    const { projectId } = world.study
    expect(await call(world, manager, 'sync.inboxDetail', { id: receipt.key, query: { projectId } })).toMatchObject({
      items: [{ to: { value: '见附件' } }, { code: 'queryFile', to: { value: '化验单.png' } }],
    })
    await setStatus(world, 'process')
    const body = { projectId, decision: 'release' as const, note: '' }
    await call(world, manager, 'sync.inboxDecide', { id: receipt.key, body })
    expect(await filesIn(monitor, asked)).toEqual([[], [['化验单.png', 'stored']]])
    for (const who of [wu, monitor]) expect(await refusal(contentOf(world, who, file.reference.id))).toBe(null)
  })

  it('with the question itself, the files of both come, and stay as secret', async () => {
    const { lin, admin, monitor, manager } = world.people
    await setStatus(world, 'close')
    /** A question about a field, and a word to it, each with a file. */
    const askWith = async (who: Person, code: string, files: readonly [TestFile, TestFile]) => {
      const place = queryPlace(world, patient, { code })
      const { id } = questionOn(world, patient)
      await raise(world, who, { ...questionOn(world, patient, { place, ...bringing(files[0]) }), id })
      await act(world, who, { id, patientId: patient }, 'comment', bringing(files[1]))
      // A site does not bring what it may not know of yet.
      expect(await refusal(startOfQuery(world, lin, id, files[0]))).toBe('not_found')
      for (const file of files) expect(await uploadOfQuery(world, who, id, file)).toMatchObject({ state: 'stored' })
    }
    const plain = [photo(), photo('补充.png')] as const
    await askWith(monitor, 'weight', plain)
    for (const file of plain) {
      expect(await looks(lin, file)).toEqual(['not_found', 'not_found'])
      for (const who of [monitor, manager]) expect(await refusal(contentOf(world, who, file.reference.id))).toBe(null)
    }
    const secret = [photo(), photo('补充.png')] as const
    await askWith(admin, 'contact', secret)
    for (const file of secret)
      for (const who of [lin, monitor, manager, admin])
        expect(await looks(who, file)).toEqual(['not_found', 'not_found'])
    const { rows } = await world.database.ownerPool.query<{ entry: string; prop: string }>(
      `SELECT entry_id AS entry, prop FROM audit WHERE action = 'query.fileStore' ORDER BY seq`,
    )
    const entry = entryId(vitals(world, patient))
    expect(rows).toEqual(['weight', 'weight', 'contact', 'contact'].map((prop) => ({ entry, prop })))
  })
})
