import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isErrorCode } from '#core/api/errors.ts'
import { calls } from '#core/api/table.ts'
import type { CallId } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import { queueableCalls } from '#core/sync/protocol/operation.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { changedIn, direct, glanceAt, makeGround, pushed, pushedText } from '#tests/server/hostile/ground.ts'
import type { Attempt, Ending, Ground } from '#tests/server/hostile/ground.ts'
import { makeThings, reportOf, soundReads, soundWrites } from '#tests/server/hostile/sound.ts'
import type { Sound, Things } from '#tests/server/hostile/sound.ts'
import { operationOf } from '#tests/server/support/world.ts'

/**
 * Every part of every request, twisted: what was a word is a list, what was a number is none, what was short is a
 * megabyte. Whatever comes, the server says what of it it does not take, in an error of the contract, and keeps nothing
 * of what it refused; what it takes, it can show again.
 */

let ground: Ground
let things: Things
beforeAll(async () => {
  ground = await makeGround()
  things = await makeThings(ground)
})
afterAll(() => ground.close())

/** JSON texts that stand where something else belongs. */
const TWISTS: readonly string[] = [
  'null',
  'true',
  '-1',
  '0.5',
  '1e999',
  '9007199254740993',
  '4294967296',
  '""',
  '" "',
  JSON.stringify('a\u0000b'),
  '"a\\ud800b"',
  JSON.stringify('x'.repeat(1_000_000)),
  JSON.stringify(String.raw`' OR 1=1; DROP TABLE entry; --`),
  JSON.stringify('../../../etc/passwd'),
  JSON.stringify('__proto__'),
  JSON.stringify('constructor'),
  JSON.stringify('2026-02-30'),
  JSON.stringify('0000-02-03T00:00:00.000Z'),
  JSON.stringify('+275760-09-13T00:00:00.000Z'),
  JSON.stringify('９９９９-１２-３１'),
  JSON.stringify('-'.repeat(36)),
  JSON.stringify('01936F00-0000-7000-8000-00000000ABCD'),
  JSON.stringify('01936f00-0000-7000-8000-00000000abcd'),
  '[]',
  '{}',
  '[null]',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  `[${'0,'.repeat(99_999)}0]`,
]
/** Words of a query string. */
const WORDS: readonly string[] = [
  '',
  ' ',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'null',
  'a\u0000b',
  'x'.repeat(10_000),
  "' OR 1=1 --",
  '__proto__',
  'constructor',
  '2026-02-30',
  '0000-02-03',
  '-'.repeat(36),
  newId(),
  '%',
  '_',
  '\\',
  '9.9.9',
  '999999999999999.999999999',
]

/** Errors that any call may give besides those that its row of the contract names. */
const COMMON: ReadonlySet<string> = new Set([
  'invalid',
  'too_large',
  'not_found',
  'forbidden',
  'unauthenticated',
  'client_unknown',
])

const isQueueable = (id: string): id is QueueableCall => queueableCalls.some((one) => one === id)

/** Paths of all parts of a JSON value, the value itself among them. */
function pathsOf(value: JsonValue, path: readonly string[] = []): readonly (readonly string[])[] {
  const below =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, part]) => pathsOf(part as JsonValue, [...path, key]))
      : []
  return [path, ...below]
}

const MARK = '@@twist@@'

function withMark(value: JsonValue, [first, ...rest]: readonly string[]): JsonValue {
  if (first === undefined) return MARK
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((part, at) => (String(at) === first ? withMark(part, rest) : part))
  return {
    ...(value as Record<string, JsonValue>),
    [first]: withMark((value as Record<string, JsonValue>)[first] ?? null, rest),
  }
}

const twistedText = (body: JsonValue, path: readonly string[], twist: string): string =>
  JSON.stringify(withMark(body, path)).replace(JSON.stringify(MARK), () => twist)

/** Watches that what is refused leaves nothing, and that every word of it is one of the contract. */
class Watch {
  readonly wrong: string[] = []
  #before: Readonly<Record<string, string>> = {}

  async begin(): Promise<void> {
    this.#before = await glanceAt(ground)
  }

  async note(whole: string, allowed: readonly string[], ending: Ending): Promise<void> {
    const after = await glanceAt(ground)
    const changed = changedIn(this.#before, after)
    this.#before = after
    if (ending.taken) return
    const what = whole.slice(0, 90)
    const code: string = ending.error.code
    if (changed.length > 0) this.wrong.push(`${what}: ${code}, and it left something in ${changed.join(', ')}`)
    if (!isErrorCode(code)) this.wrong.push(`${what}: ${code} is no error of ours`)
    else if (!COMMON.has(code) && !allowed.includes(code)) this.wrong.push(`${what}: ${code} is none of its errors`)
    else if (
      code === 'invalid' &&
      (ending.error.fields ?? []).length === 0 &&
      !UNREADABLE.some((what) => whole.includes(what))
    )
      this.wrong.push(`${what}: invalid without a word of what`)
  }
}

/** Requests that cannot be read to begin with: there is no part of them to name. */
const UNREADABLE: readonly string[] = [
  '{"__proto__"',
  '{"constructor":{"prototype"',
  `params.id = ${'x'.repeat(40)}`,
  `params.name = ${'x'.repeat(40)}`,
]

const asIs = ({ id, errors }: { readonly id: string; readonly errors: readonly string[] }) => ({
  id: id as CallId,
  errors,
})
const AREAS: ReadonlySet<string> = new Set([
  'entry',
  'doubleEntry',
  'attachment',
  'visit',
  'patient',
  'sync',
  'audit',
  'search',
  'database',
])
const served = calls.filter(({ area, servedBy }) => servedBy !== null && AREAS.has(area))
/** Saves of a page but for the plain one. */
const SAVED_ALIKE: ReadonlySet<string> = new Set([
  'entry.smartSave',
  'entry.submit',
  'entry.insert',
  'entry.smartInsert',
])
/** Pushes have a test of their own; a piece and a form are bytes (badFiles.test.ts); a pull is read line by line. */
const APART: ReadonlySet<string> = new Set(['sync.push', 'sync.pull', 'attachment.piece', 'attachment.update'])

/** Everything can be read as before. */
async function expectReadable(): Promise<void> {
  const broken: string[] = []
  for (const [id, sound] of Object.entries(soundReads(ground, things))) {
    const ending = await direct(ground, { ...sound, call: id as CallId })
    // What was attacked may have been taken out by an attack that was a sound request.
    if (!ending.taken && ending.error.code !== 'not_found') broken.push(`${id}: ${ending.error.code}`)
  }
  expect(broken).toEqual([])
  expect(ground.lines).toEqual([])
}

it('is every call of these areas', () => {
  const known = new Set([
    ...Object.keys(soundReads(ground, things)),
    ...Object.keys(soundWrites(ground, things)),
    ...APART,
  ])
  expect(served.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual([])
})

it('reads as asked for, before anything is attacked', async () => {
  for (const [id, sound] of Object.entries(soundReads(ground, things))) {
    expect([id, (await direct(ground, { ...sound, call: id as CallId })).taken || id === 'attachment.thumb']).toEqual([
      id,
      true,
    ])
  }
})

describe('a request that reads', () => {
  it.each(
    served
      .filter(({ method }) => method === 'GET')
      .filter(({ id }) => !APART.has(id))
      .map(asIs),
  )('$id', async ({ id, errors }) => {
    const sound = soundReads(ground, things)[id]
    if (sound === undefined) throw new Error(`nobody asks for ${id}`)
    const watch = new Watch()
    await watch.begin()
    for (const part of ['query', 'params'] as const) {
      for (const [at, name] of Object.keys(sound[part] ?? {}).entries()) {
        for (const word of someOf(WORDS, at + id.length, 2)) {
          const ending = await direct(ground, { ...sound, call: id, [part]: { ...sound[part], [name]: word } })
          await watch.note(`${part}.${name} = ${word}`, errors, ending)
        }
      }
    }
    for (const projectId of [null, newId(), ground.foreign.study.projectId]) {
      await watch.note(
        `in the project ${String(projectId)}`,
        errors,
        await direct(ground, { ...sound, call: id, projectId }),
      )
    }
    expect(watch.wrong).toEqual([])
    expect(ground.lines).toEqual([])
  })
})

describe('a request that writes', () => {
  const written = served.filter(({ id, method }) => method !== 'GET' && !APART.has(id)).map(asIs)
  it.each(written)('$id', { timeout: 60_000 }, async ({ id, errors }) => {
    const sound = soundWrites(ground, things)[id]
    if (sound === undefined) throw new Error(`nobody attacks ${id}`)
    const watch = new Watch()
    await watch.begin()
    for (const { what, attempt } of twistsOf(id, sound)) await watch.note(what, errors, await direct(ground, attempt))
    // The body of a save is the same for each of its verbs.
    if (isQueueable(id) && !SAVED_ALIKE.has(id)) {
      const { entityId = newId() } = sound
      for (const { what, attempt } of twistsOf(id, sound)) {
        const ending = await pushed(ground, { ...attempt, call: id, entityId })
        await watch.note(`pushed, ${what}`, [...errors, 'proof_wrong', 'waits_for_earlier'], ending)
      }
    }
    expect(watch.wrong).toEqual([])
    await expectReadable()
  })
})

/**
 * Every part of the body and of the address with some of the twists: each twist meets many parts, and each part many
 * twists.
 */
function twistsOf(id: CallId, sound: Sound): readonly { readonly what: string; readonly attempt: Attempt }[] {
  const { body } = sound
  const inBody =
    body === undefined
      ? []
      : pathsOf(body).flatMap((path, at) =>
          someOf(TWISTS, at + id.length, id === 'entry.save' ? 2 : 1).map((twist) => ({
            what: `${path.join('.')} = ${twist}`,
            attempt: { ...sound, call: id, text: twistedText(body, path, twist) },
          })),
        )
  const inAddress = (['query', 'params'] as const).flatMap((part) =>
    Object.keys(sound[part] ?? {}).flatMap((name, at) =>
      someOf(WORDS, at + id.length, 2).map((word) => ({
        what: `${part}.${name} = ${word}`,
        attempt: { ...sound, call: id, [part]: { ...sound[part], [name]: word } },
      })),
    ),
  )
  return [...inBody, ...inAddress]
}

function someOf<One>(all: readonly One[], from: number, count: number): readonly One[] {
  return Array.from({ length: count }, (_none, at) => all[(from * 5 + at * 4) % all.length]).filter(
    (one) => one !== undefined,
  )
}

describe('an envelope', () => {
  it('of which any part is twisted', { timeout: 60_000 }, async () => {
    const { lin } = ground.world.people
    const report = reportOf()
    const envelope = {
      deviceId: lin.deviceId,
      report,
      ops: [],
      hints: { [newId()]: { no: 'N01-001' } },
    }
    const watch = new Watch()
    await watch.begin()
    for (const [at, path] of pathsOf(envelope).entries()) {
      for (const twist of someOf(TWISTS, at, 6)) {
        const ending = await direct(ground, { who: lin, call: 'sync.push', text: twistedText(envelope, path, twist) })
        await watch.note(`${path.join('.')} = ${twist}`, ['client_unknown'], ending)
      }
    }
    expect(watch.wrong).toEqual([])
    await expectReadable()
  })

  it('in which a device says figures of itself that nothing counts: it can be told of, and come again', async () => {
    const { lin, manager } = ground.world.people
    const { projectId } = ground.world.study
    const [scope] = [{ scope: projectId, oldest: null }]
    const figures = [
      {
        unsent: [
          { ...scope, count: 2 ** 40 },
          { ...scope, count: Number.MAX_SAFE_INTEGER },
        ],
      },
      { refused: Number.MAX_SAFE_INTEGER, drafts: 2 ** 31 },
      { clockDriftMs: 1e300, storage: { usedBytes: 1e300, quotaBytes: -1, persisted: true } },
      { unsent: Array.from({ length: 2000 }, () => ({ ...scope, count: 2 ** 31 - 1 })) },
    ]
    await direct(ground, { ...soundWrites(ground, things)['sync.keys'], who: lin, call: 'sync.keys' })
    for (const figure of figures) {
      const body = { deviceId: lin.deviceId, report: { ...reportOf(), ...figure }, ops: [] }
      await direct(ground, { who: lin, call: 'sync.push', body })
      const told = await direct(ground, { who: manager, call: 'sync.devices', query: { projectId } })
      expect(told).toMatchObject({ taken: true })
      expect(JSON.stringify(told)).toContain(lin.deviceId)
      expect(
        await direct(ground, { ...soundWrites(ground, things)['sync.device'], who: lin, call: 'sync.device' }),
      ).toMatchObject({ taken: true })
    }
    expect(ground.lines).toEqual([])
  })

  it('with an operation of which any part is twisted: it is answered by itself', { timeout: 60_000 }, async () => {
    const { lin } = ground.world.people
    const sound = soundWrites(ground, things)['entry.save']
    const op = operationOf(ground.world, lin, {
      call: 'entry.save',
      entityId: sound?.entityId ?? '',
      body: sound?.body ?? null,
      crfVersionId: ground.versionId,
    })
    const watch = new Watch()
    await watch.begin()
    for (const [at, path] of pathsOf(op)
      .filter(([part]) => part !== 'body')
      .entries()) {
      for (const twist of someOf(TWISTS, at, 6)) {
        const ending = await pushedText(ground, lin, twistedText(op, path, twist))
        await watch.note(`${path.join('.')} = ${twist}`, ['proof_wrong', 'client_too_old', 'client_unknown'], ending)
      }
    }
    expect(watch.wrong).toEqual([])
    await expectReadable()
  })
})
