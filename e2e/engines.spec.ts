import { expect, test } from '@playwright/test'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import { EngineHand } from './engines/engine.ts'
import type { Engine } from './engines/engine.ts'
import { startFirefox } from './engines/firefox.ts'
import { startWebKit } from './engines/webkit.ts'
import { expectBookedOnce } from './support/booked.ts'
import { startNetwork } from './support/network.ts'
import type { Network } from './support/network.ts'
import { ADMIN } from './support/study/office.ts'
import { startEntry } from './support/study/project.ts'
import { releaseDefinition } from './support/study/versions.ts'
import { CRC, makeProject } from './support/study/ward.ts'

/**
 * The day of a ward in the engines of an iPad and of a hospital's computers: kept, offline, typed, started anew, and
 * back.
 */

const VITALS = {
  pageName: '生命体征',
  pageCode: 'VS',
  repeatable: false,
  option: JSON.stringify({
    column: [
      { prop: 'weight', label: '体重', type: 'number' },
      { prop: 'height', label: '身高', type: 'number' },
      {
        prop: 'tongue',
        label: '舌象',
        type: 'radio',
        dicData: [
          { label: '淡红', value: '1' },
          { label: '暗紫', value: '2' },
        ],
      },
      { prop: 'note', label: '备注', type: 'textarea' },
    ],
  }),
}

const NOTE = '患者自述乏力，舌暗红、苔白腻'

const ENGINES: readonly { readonly name: string; readonly start: () => Promise<Engine> }[] = [
  { name: 'WebKit', start: startWebKit },
  { name: 'Firefox', start: startFirefox },
]

for (const { name, start } of ENGINES) {
  test(`a coordinator's day in ${name} loses nothing`, async () => {
    test.setTimeout(360_000)
    const server = await startServer({ adminPassword: ADMIN.password })
    const network = await startNetwork(server.port)
    const engine = await start()
    try {
      const admin = await signInByApi(network.address, ADMIN.account, ADMIN.password)
      const projectId = await makeProject(network.address, admin, `试验 ${name}`)
      await releaseDefinition(admin, projectId, {
        folders: [{ folderName: '基线', folderCode: 'V1', pages: [VITALS] }],
      })
      await dayOfAWard(engine, network, `${network.address}${await startEntry(admin, projectId)}`)
      const database = await openServerDatabase(server.dataDir)
      await expectBookedOnce(database, projectId, CRC.account)
      const { rows } = await database.query<{ values: unknown }>('SELECT values FROM entry')
      expect(rows).toEqual([{ values: expect.objectContaining({ weight: 65, height: 170, tongue: '2', note: NOTE }) }])
      await database.end()
    } finally {
      await engine.close()
      await network.close()
      await server.dispose()
    }
  })
}

/** Keeps a center, works without a network through a lost browser, and comes back to the network. */
async function dayOfAWard(engine: Engine, network: Network, patients: string): Promise<void> {
  const hand = new EngineHand(engine)
  await engine.open(patients)
  await hand.write('账号', CRC.account)
  await hand.write('密码', CRC.password)
  await hand.press('button', '登录')
  await hand.press('button', '下载到本设备，离线可用')
  await hand.missesSoon('button', '下载到本设备，离线可用')
  await engine.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)')

  await network.cut()
  await engine.open(patients)
  await hand.unlock(CRC.password)
  await hand.press('button', '入组')
  await hand.write('姓名缩写', 'QXJZ')
  await hand.write('姓名', '欧阳植标')
  await hand.write('手机号', '13987650321')
  await hand.press('choice', '女')
  await hand.write('出生日期', '1980-01-01')
  await hand.press('button', '下一步：核对')
  await hand.press('button', '确认入组')
  await hand.press('button', '开始填写')
  await hand.press('link', '生命体征')
  await hand.write('体重', '65')
  await hand.write('身高', '170')
  await hand.press('choice', '暗紫')
  await hand.write('备注', NOTE)
  await hand.sees('words', '已保存在本机')
  const address = String(await engine.evaluate('location.href'))

  await engine.pullBattery?.()
  await engine.open(address)
  await hand.unlock(CRC.password)
  expect(await hand.valueOf('体重')).toBe('65')
  expect(await hand.valueOf('身高')).toBe('170')
  expect(await hand.valueOf('备注')).toBe(NOTE)

  await network.restore()
  await engine.evaluate("void dispatchEvent(new Event('online'))")
  // The session comes back by itself where its cookie had reached the disk, at any moment; else a sheet over the page
  // asks for the password.
  await expect(async () => {
    if (await hand.has('button', '重新登录')) {
      await hand.write('密码', CRC.password)
      await hand.press('button', '重新登录')
    }
    expect(await hand.has('words', '已同步')).toBe(true)
  }).toPass()
  await engine.open(`${network.address}/device`)
  await hand.unlock(CRC.password)
  await hand.sees('words', '没有未同步的内容')
  // Whatever went wrong unseen is noted on the tablet, and shown by a badge.
  expect(await engine.evaluate('document.querySelector(\'[aria-label*="错误"]\')?.ariaLabel ?? null')).toBe(null)
}
