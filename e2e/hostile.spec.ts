import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync, zipSync } from 'fflate'
import { newId } from '#core/ids.ts'
import { parts, zipped } from '#tests/core/exchange/sheet/making.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'
import type { ApiUser } from '#tests/server/support/apiUser.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import { signIn, signOut } from './support/session.ts'
import { ADMIN } from './support/study/office.ts'
import { CRC, keepCenter, makeProject } from './support/study/ward.ts'

/**
 * Definitions that mean harm, at the screens that people open them on. A file is refused in words while the page stays
 * at hand; what is taken is text: no script of it runs, no dialog opens, no other server is asked, no spreadsheet
 * calculates it, and no pattern holds up a key.
 */

let server: RunningServer
let address: string
let admin: ApiUser
let projectId: string
let crfId: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startServer({ adminPassword: ADMIN.password, env: { DEMO: '0' } })
  address = `http://127.0.0.1:${server.port}`
  admin = await signInByApi(address, ADMIN.account, ADMIN.password)
  projectId = await makeProject(address, admin, '来路不明的表单')
  crfId = (await admin.call<{ id: string }>('version.save', { body: { projectId, remark: '首版' } })).id
})
test.afterAll(() => server.dispose())

/** How long a page may be away from whoever is at it, ms. */
const AT_HAND_MS = 500
/** A key, to the frame that shows it. */
const KEY_MS = 1000

const ODM = (before: string, body: string): string =>
  `<?xml version="1.0"?>${before}<ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" FileOID="f" FileType="Snapshot" CreationDateTime="2026-01-01T00:00:00"><Study OID="s"><GlobalVariables><StudyName>s</StudyName><StudyDescription>s</StudyDescription><ProtocolName>s</ProtocolName></GlobalVariables><MetaDataVersion OID="m" Name="m">${body}</MetaDataVersion></Study></ODM>`
const LAUGHS = `<!DOCTYPE ODM [<!ENTITY l0 "ha">${Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')}]>`

interface HostileFile {
  readonly name: string
  readonly says: RegExp
  readonly make: () => string | Uint8Array
}

const FILES: readonly HostileFile[] = [
  {
    name: 'billion-laughs.xml',
    says: /定义了 XML 实体；为了安全，不接受这样的文件/,
    make: () => ODM(LAUGHS, '<ItemDef OID="I" Name="&l9;" DataType="text"/>'),
  },
  {
    name: 'external-entity.xml',
    says: /定义了 XML 实体；为了安全，不接受这样的文件/,
    make: () =>
      ODM(
        '<!DOCTYPE ODM [<!ENTITY f SYSTEM "http://hostile.invalid/x">]>',
        '<ItemDef OID="I" Name="&f;" DataType="text"/>',
      ),
  },
  {
    name: 'zip-bomb.xlsx',
    says: /文件太大/,
    make: () => zipped({ ...parts({ survey: '' }), 'xl/worksheets/sheet1.xml': new Uint8Array(300_000_000) }),
  },
  {
    name: 'zip-of-rows.xlsx',
    says: /文件太大/,
    make: () =>
      zipped(
        parts({
          survey: `<worksheet><sheetData>${'<row><c t="inlineStr"><is><t>xxxxxxxxxxxxxxxxxxxx</t></is></c></row>'.repeat(1_500_000)}</sheetData></worksheet>`,
        }),
      ),
  },
  {
    name: 'million-fields.xml',
    says: /文件太大/,
    make: () => ODM('', Array.from({ length: 1_000_000 }, (_, at) => `<ItemDef OID="I${at}" Name="x"/>`).join('')),
  },
  {
    name: 'million-fields.csv',
    says: /文件太大/,
    make: () =>
      `field_name,form_name,field_type,field_label\n${Array.from({ length: 1_000_000 }, (_, at) => `a${at},f,text,A`).join('\n')}\n`,
  },
  {
    name: 'deep.json',
    says: /文件中有不应出现的内容|不是可以导入的格式|文件太大/,
    make: () => `{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`,
  },
]

/** A clock that ticks in the page; reading it tells how long it once stood still. */
async function startTicking(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const clock = { last: performance.now(), longest: 0 }
    Object.assign(globalThis, { clock })
    setInterval(() => {
      const now = performance.now()
      clock.longest = Math.max(clock.longest, now - clock.last)
      clock.last = now
    }, 20)
  })
  return () =>
    page.evaluate(() => {
      const { clock } = globalThis as unknown as { clock: { longest: number } }
      const { longest } = clock
      clock.longest = 0
      return longest
    })
}

test('files that are made to do harm are refused in words, and the page stays at hand meanwhile', async ({
  page,
}, info) => {
  test.setTimeout(240_000)
  const watch = watchHarm(page)
  await signIn(page, address, `/p/${projectId}/admin/crfHistory`, ADMIN)
  await page.getByRole('button', { name: '导入表单定义' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (const { name, says, make } of FILES) {
    const file = info.outputPath(name)
    await writeFile(file, make())
    const longest = await startTicking(page)
    const start = Date.now()
    await page.locator('input[type=file]').setInputFiles(file)
    await expect(dialog.getByRole('alert')).toContainText(says, { timeout: 60_000 })
    const stood = await longest()
    console.log(
      `${name}: refused after ${Date.now() - start} ms; the page stood still for ${stood.toFixed(0)} ms at most`,
    )
    expect(stood).toBeLessThan(AT_HAND_MS)
    await expect(dialog.getByRole('button', { name: '导入到草稿' })).toHaveCount(0)
  }
  await signOutFrom(page)
  expect(await watch()).toEqual([])
})

async function signOutFrom(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: '关闭' }).first().click()
  await signOut(page)
}

/** Whatever a definition did that it must not: scripts that ran, dialogs, other servers that were asked. */
function watchHarm(page: Page): () => Promise<readonly string[]> {
  const harm: string[] = []
  page.on('dialog', (dialog) => {
    harm.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if ((url.protocol === 'http:' || url.protocol === 'https:') && url.origin !== address)
      harm.push(`request: ${request.url()}`)
  })
  page.on('popup', (popup) => harm.push(`window: ${popup.url()}`))
  return async () => [
    ...harm,
    ...(await page.evaluate(() =>
      'hacked' in globalThis ? [`script: ${String(globalThis['hacked' as keyof typeof globalThis])}`] : [],
    )),
  ]
}

const SCRIPT =
  '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=2</script><svg onload="globalThis.hacked=3"></svg>'
const LINK =
  '<a href="javascript:globalThis.hacked=4">这里</a><iframe src="http://hostile.invalid/"></iframe><img src="http://hostile.invalid/p.png">'
const FORMULA = '=HYPERLINK("http://hostile.invalid/","x")'
const BUSY = ['(a+)+$', '(?:.?){1000}[^x]{1000}', '(.*)*(.*)*(.*)*!']

const OPTION = JSON.stringify({
  column: [
    { prop: 'name', type: 'input', label: `姓名${SCRIPT}`, tip: SCRIPT, placeholder: SCRIPT, labelTip: LINK },
    { prop: 'link', type: 'url', label: `链接${LINK}`, value: 'javascript:globalThis.hacked=5' },
    {
      prop: 'pick',
      type: 'radio',
      label: FORMULA,
      dicData: [
        { label: `甲${SCRIPT}`, value: '1' },
        { label: '+1+1', value: '2' },
        { label: '@SUM(1)', value: '3' },
      ],
    },
    {
      prop: 'note',
      type: 'textarea',
      label: '-1+1',
      maxlength: 20_000,
      zl: {
        checks: BUSY.map((pattern, at) => ({
          id: `p${at}`,
          when: `!matches(page.note, "${pattern}")`,
          severity: 'warning',
          message: { zh: `格式不对${SCRIPT}` },
        })),
      },
    },
  ],
})

test('what a definition says is text wherever it is shown: designer, preview, annotated form', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000)
  const definition = {
    folders: [
      {
        folderName: `访视${SCRIPT}`,
        folderCode: 'V1',
        pages: [{ pageName: `页${LINK}`, pageCode: 'P1', repeatable: false, option: OPTION }],
      },
    ],
  }
  await admin.call('version.import', { query: { crfId }, body: { definition, sourceName: SCRIPT, source: LAUGHS } })
  const watch = watchHarm(page)
  await signIn(page, address, `/p/${projectId}/v/${crfId}/design`, ADMIN)
  await page.getByRole('treeitem').last().click()
  await expect(page.getByText('姓名<img src=x').first()).toBeVisible()
  await page.getByRole('button', { name: '预览' }).click()
  const preview = page.getByRole('dialog')
  await expect(preview.getByText('姓名<img src=x').first()).toBeVisible()
  await expect(preview.locator('a[href^="javascript:"], iframe, img[src*="hostile"]')).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.goto(`${address}/p/${projectId}/admin/crfHistory`)
  const saved = await exported(page, ['注释 CRF（网页）', '证录工作簿', 'REDCap 数据字典'])
  expect(await watch()).toEqual([])
  const [crf, workbook, csv] = saved

  // The annotated form is opened by a browser as it is.
  const printed = await context.newPage()
  const watchPrinted = watchHarm(printed)
  await printed.setContent(strFromU8(crf ?? new Uint8Array()))
  await expect(printed.getByText('姓名<img src=x').first()).toBeVisible()
  await expect(printed.locator('script, iframe, img[src*="hostile"], a[href^="javascript:"]')).toHaveCount(0)
  expect(await watchPrinted()).toEqual([])

  // A spreadsheet calculates nothing of it: cells of a workbook are texts, and in a dictionary, which reads blanks away
  // again, a blank stands before what would be a formula.
  const sheets = Object.entries(unzipSync(workbook ?? zipSync({})))
    .filter(([name]) => name.startsWith('xl/worksheets/'))
    .map(([, bytes]) => strFromU8(bytes))
  expect(sheets.join('')).toContain('HYPERLINK')
  for (const sheet of sheets) expect(sheet).not.toMatch(/<f[ >/]/)
  const table = strFromU8(csv ?? new Uint8Array())
  expect(table).toContain(' =HYPERLINK')
  expect(table).toContain(' -1+1')
  expect(table).not.toMatch(/(?:^|,)"?[=+@-]/m)
})

/** Files of the version in the formats that are named, saved from the dialog. */
async function exported(page: Page, formats: readonly string[]): Promise<readonly Uint8Array[]> {
  await page.getByRole('button', { name: /^导出/ }).first().click()
  const out = page.getByRole('dialog', { name: /^导出表单定义/ })
  const files: Uint8Array[] = []
  for (const format of formats) {
    await out.getByRole('radio', { name: format }).check()
    await out.getByRole('button', { name: '生成文件' }).click()
    await expect(out.getByText(/^文件已生成/)).toBeVisible({ timeout: 30_000 })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      out.getByRole('button', { name: '保存文件' }).click(),
    ])
    files.push(new Uint8Array(await readFile(await download.path())))
  }
  return files
}

test('a released one is entered: its labels are text in the casebook, its links lead nowhere, and a key is not held up by its patterns', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await admin.call('version.releaseTest', { query: { crfId } })
  await admin.call('version.release', { query: { crfId } })
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
  const crc = await signInByApi(address, CRC.account, CRC.password)
  const { records } = await admin.call<{ records: { id: string }[] }>('center.list', { query: { projectId } })
  const patientId = newId()
  const identity = { name: null, mobile: null, email: null, birthDate: null }
  await crc.call('patient.save', {
    body: {
      id: patientId,
      projectId,
      centerId: records[0]?.id,
      no: null,
      mark: '7F3A',
      initials: 'ZS',
      sex: 'F',
      enrolledOn: '2026-01-05',
      identity,
    },
  })

  const watch = watchHarm(page)
  await keepCenter(page, address, `/p/${projectId}/v/${crfId}/patients`)
  await page
    .getByRole('link', { name: /BJ01-001/ })
    .first()
    .click()
  await expect(page.getByText('访视<img src=x').first()).toBeVisible()
  await page
    .getByRole('link', { name: /页<a href/ })
    .first()
    .click()
  await expect(page.locator('[data-row="name"]')).toContainText('<script>globalThis.hacked=2</script>')
  await expect(page.locator('main a[href^="javascript:"], main iframe, main img[src*="hostile"]')).toHaveCount(0)
  const note = page.locator('[data-row="note"] textarea')
  await note.fill('a'.repeat(9_990))
  const longest = await startTicking(page)
  const times: number[] = []
  for (const key of ['!', 'a', 'b', '!']) {
    const start = Date.now()
    await note.press(key)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))))
    times.push(Date.now() - start)
  }
  console.log(
    `keys against ${BUSY.length} patterns on 9,990 characters: ${times.join(', ')} ms; the page stood still for ${(await longest()).toFixed(0)} ms at most`,
  )
  expect(Math.max(...times)).toBeLessThan(KEY_MS)
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(page.getByText(/已提交|格式不对/).first()).toBeVisible()
  expect(await watch()).toEqual([])
})
