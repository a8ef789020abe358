import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PatientMessage } from '#core/api/patientMessage.ts'
import { headers } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'
import { makeCoordinator, signInByApi, signInCoordinator } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { NoteGateway } from '#tests/server/support/noteGateway.ts'
import { unnamedPatient } from '#tests/server/support/project.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'

/** A server that is killed while the gateway has a message of its own, and hears no more whether it was taken. */

const ADMIN_PASSWORD = 'Admin-Killed-8412'

let gateway: NoteGateway
let server: RunningServer
beforeAll(async () => {
  gateway = await NoteGateway.start()
  server = await start()
}, 90_000)
afterAll(async () => {
  await server.dispose()
  await gateway.close()
}, 60_000)

function start(dataDir?: string): Promise<RunningServer> {
  const env = { ZHENGLU_SMS_URL: gateway.url, ZHENGLU_SMS_TOKEN: 'secret' }
  return startServer({ adminPassword: ADMIN_PASSWORD, env, ...(dataDir === undefined ? {} : { dataDir }) })
}

const address = (): string => `http://127.0.0.1:${server.port}`

async function messages(who: ApiUser, projectId: string, patientId: string): Promise<readonly PatientMessage[]> {
  const answer = await fetch(`${address()}/api/edc/data/crf/patient/${patientId}/notice`, {
    headers: { ...who.headers, [headers.projectId]: projectId },
  })
  return ((await answer.json()) as { data: readonly PatientMessage[] }).data
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(50)
}

it(
  'the next one goes on with it under the same id, and sends what was waiting: each patient gets one message',
  { timeout: 120_000 },
  async () => {
    const admin = await signInByApi(address(), 'admin', ADMIN_PASSWORD)
    const { id: projectId } = await admin.call<{ id: string }>('project.save', {
      body: { projectName: '提醒', projectScopeCode: 'areamultiple', minTesters: 0 },
    })
    const { id: centerId } = await admin.call<{ id: string }>('center.save', {
      body: { projectId, centerName: '北院', centerCode: 'N01' },
    })
    await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
    const crc = await makeCoordinator(address(), admin, projectId, centerId)
    const patients = [newId(), newId()]
    for (const id of patients) {
      await crc.call('patient.save', {
        body: unnamedPatient(projectId, centerId, { id, mobile: '13800000000' }),
      })
    }
    gateway.mood = 'silent'
    await crc.call('patient.sendNotice', {
      body: { projectId, pushType: 'note', content: '请复诊', patientIds: patients },
    })
    await until(() => gateway.asked.length === 1)
    const ended = once(server.child, 'exit')
    server.child.kill('SIGKILL')
    await ended

    gateway.mood = 200
    server = await start(server.dataDir)
    const again = await signInCoordinator(address())
    await until(() => gateway.delivered.size === 2)
    const states = async () =>
      (await Promise.all(patients.map((id) => messages(again, projectId, id))))
        .flat()
        .map(({ state }) => state)
        .toSorted()
    await until(async () => (await states()).includes('sent'))
    // The one that was under way is left alone as long as its sender may still be at it.
    expect(await states()).toEqual(['sent', 'waiting'])
    expect(gateway.asked).toHaveLength(2)

    const database = await openServerDatabase(server.dataDir)
    await database.query(
      `UPDATE patient_message SET claimed_at = claimed_at - interval '1 hour' WHERE claimed_at IS NOT NULL`,
    )
    await database.end()
    await until(async () => (await states()).every((state) => state === 'sent'))
    expect(gateway.asked).toHaveLength(3)
    expect(gateway.asked[2]?.key).toBe(gateway.asked[0]?.key)
    expect(gateway.delivered.size).toBe(2)
  },
)
