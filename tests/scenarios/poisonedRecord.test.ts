import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { bookedAs } from '#tests/scenarios/support/facts.ts'
import { serverForAllTests } from '#tests/scenarios/support/serverFor.ts'
import { Tablet, onServer } from '#tests/scenarios/support/ward.ts'
import { change, enrol, vitals } from '#tests/server/support/world.ts'

/** One poisoned record: whatever way it goes wrong, the others go through, and it stays visible. */

const OTHERS = 6

const server = serverForAllTests()
let tablet: Tablet
let patients: readonly string[]
beforeEach(async () => {
  patients = await Promise.all(Array.from({ length: OTHERS + 1 }, () => enrol(server.world)))
  tablet = await Tablet.unpacked(server)
  await tablet.signIn('lin')
})

/** Queues one save per patient. Gives the keys. */
async function fill(): Promise<readonly string[]> {
  const keys: string[] = []
  for (const patient of patients) {
    const target = vitals(server.world, patient)
    keys.push(await queueAt(tablet, pageAct(server.world, 'entry.save', target, change(target, { height: 170 }))))
  }
  return keys
}

/** The keys of the operations in a push. */
function carried(body: ArrayBuffer): readonly string[] {
  const { ops } = JSON.parse(gunzipSync(body).toString('utf8')) as { ops: readonly { key: string }[] }
  return ops.map(({ key }) => key)
}

/** What one contact after another came to: the requests that sent something, each by its keys. */
function watchPushes(
  refuse: (keys: readonly string[]) => Response | null,
  alter = (answer: Response) => answer,
): (readonly string[])[] {
  const pushes: (readonly string[])[] = []
  tablet.interpose(async (request, arrive) => {
    if (!request.url.endsWith('/sync/push')) return arrive(request)
    const keys = carried(await request.clone().arrayBuffer())
    if (keys.length > 0) pushes.push(keys)
    return refuse(keys) ?? alter(await arrive(request))
  })
  return pushes
}

const failure = (): Response =>
  Response.json({ code: 500, success: false, data: null, msg: '', error: { code: 'internal' } }, { status: 500 })

async function expectOthersThrough(keys: readonly string[], poisoned: readonly string[]): Promise<void> {
  for (const [at, key] of keys.entries()) {
    const there = !poisoned.includes(key)
    expect((await bookedAs(server, key)).operations).toBe(there ? 1 : 0)
    expect(await onServer(server, patients[at] ?? '')).toEqual(there ? { height: 170 } : {})
  }
  expect(valueOf(await tablet.device.outbox()).map(({ key }) => key)).toEqual(poisoned)
  // What it was on is shown as before, and says where it is.
  const seen = await tablet.see(patients[keys.indexOf(poisoned[0] ?? '')] ?? '')
  expect(seen.data.values).toMatchObject({ height: 170 })
  expect(['local', 'attention']).toContain(seen.mark)
}

describe.each([0, 3, OTHERS])('the record at place %i', (place) => {
  test('is one that the server fails at, and with it the whole envelope', async () => {
    const keys = await fill()
    const poisoned = keys[place] ?? ''
    const pushes = watchPushes((sent) => (sent.includes(poisoned) ? failure() : null))
    expect(await tablet.sync()).toMatchObject({ acknowledged: OTHERS, error: null })
    await expectOthersThrough(keys, [poisoned])
    expect(valueOf(await tablet.device.outbox())).toMatchObject([{ state: 'retry', error: { code: 'internal' } }])
    // Finding it costs a handful of requests, not one per record. How often it was tried by itself depends on the
    // clock.
    expect(pushes.filter((sent) => sent.some((key) => key !== poisoned)).length).toBeLessThanOrEqual(6)

    // From then on it goes by itself, after what is new, and takes nothing with it.
    pushes.length = 0
    const more = patients[(place + 1) % patients.length] ?? ''
    await tablet.enter(more, 'weight', '65')
    await tablet.sync()
    expect(await onServer(server, more)).toMatchObject({ weight: 65 })
    expect(pushes[0]).not.toContain(poisoned)
    expect(new Set(pushes.slice(1).flat())).toEqual(new Set([poisoned]))

    tablet.interpose((request, arrive) => arrive(request))
    expect(await tablet.sync()).toMatchObject({ acknowledged: 1, error: null })
    expect(await tablet.unsent()).toBe(0)
  })

  test('is one at which the answer always breaks off', async () => {
    const keys = await fill()
    const poisoned = keys[place] ?? ''
    watchPushes(
      () => null,
      (answer) => brokenAt(answer, poisoned),
    )
    for (let contact = 0; contact < 3; contact += 1) await tablet.sync()
    expect(valueOf(await tablet.device.outbox()).map(({ key, state }) => [key, state])).toEqual([[poisoned, 'retry']])
    for (const key of keys) expect((await bookedAs(server, key)).operations).toBe(1)
  })

  test('is one that the server refuses', async () => {
    const keys = [...(await fill())]
    const target = vitals(server.world, patients[place] ?? '')
    await tablet.storage.work.outbox.delete(keys[place] ?? '')
    keys[place] = await queueAt(
      tablet,
      pageAct(server.world, 'entry.save', target, change(target, { height: 170, nonsense: 1 })),
    )
    expect(await tablet.sync()).toMatchObject({ acknowledged: OTHERS, error: null })
    await expectOthersThrough(keys, [keys[place]])
    const attention = valueOf(await tablet.device.attention())
    expect(attention).toMatchObject([
      { kind: 'rejected', reason: 'invalid', patientId: patients[place], fieldCode: 'nonsense' },
    ])
  })

  test('is one whose bytes on the tablet are damaged', async () => {
    const keys = await fill()
    const poisoned = keys[place] ?? ''
    const row = await tablet.storage.work.outbox.get(poisoned)
    if (row === undefined) throw new Error('no row')
    const { op } = row
    await tablet.storage.work.outbox.update(poisoned, { op: { ...op, data: op.data.map((byte) => byte ^ 1) } })
    expect(await tablet.sync()).toMatchObject({ acknowledged: OTHERS, error: null })
    for (const key of keys) expect((await bookedAs(server, key)).operations).toBe(key === poisoned ? 0 : 1)
    expect(valueOf(await tablet.device.outbox())).toMatchObject([
      { key: poisoned, state: 'rejected', error: { code: 'storage_lost' } },
    ])
    expect(valueOf(await tablet.device.attention())).toMatchObject([
      { opKey: poisoned, kind: 'rejected', reason: 'storage_lost' },
    ])

    // Its page can be filled again.
    const patient = patients[place] ?? ''
    await tablet.enter(patient, 'height', '171')
    expect(await tablet.sync()).toMatchObject({ acknowledged: 1, error: null })
    expect(await onServer(server, patient)).toMatchObject({ height: 171 })
  })
})

test('two poisoned records side by side keep none of the others for longer than one more contact', async () => {
  const keys = await fill()
  const poisoned = keys.slice(0, 2)
  watchPushes((sent) => (sent.some((key) => poisoned.includes(key)) ? failure() : null))
  await tablet.sync()
  await tablet.sync()
  expect(await tablet.unsent()).toBe(poisoned.length)
  await expectOthersThrough(keys, poisoned)
})

test('a server that fails at everything is asked a few times a contact, not once per record', async () => {
  const keys = await fill()
  const pushes = watchPushes(failure)
  expect((await tablet.sync()).error?.code).toBe('internal')
  expect(pushes.length).toBeLessThanOrEqual(5)
  tablet.interpose((request, arrive) => arrive(request))
  await tablet.sync()
  expect(await tablet.unsent()).toBe(0)
  for (const key of keys) expect((await bookedAs(server, key)).operations).toBe(1)
})

/** The answer up to the line that is about an operation, and then no connection. */
function brokenAt(answer: Response, key: string): Response {
  if (answer.body === null) return answer
  let text = ''
  const broken = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TransformStream<string, string>({
      transform: (piece, controller) => {
        text += piece
        const lines = text.split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) {
          if (line.includes(`"key":"${key}"`)) return controller.error(new TypeError('connection reset'))
          controller.enqueue(`${line}\n`)
        }
      },
    }),
  )
  return new Response(broken.pipeThrough(new TextEncoderStream()), answer)
}
