import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readPage } from '#core/form/definition/page.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import { createTestServer } from '#tests/server/support/app.ts'
import type { Client, TestServer } from '#tests/server/support/app.ts'
import { changeStatus, createProject, definitionOf } from '#tests/server/support/project.ts'

/** Lists that a definition names by an address are fetched when it is saved, from where the operator allows it. */

let lists: Server
let host: string
let asked: IncomingMessage[]
let server: TestServer
let admin: Client

const DRUGS = Array.from({ length: 730 }, (_, at) => ({ id: at + 1, name: `药品${at + 1}` }))

beforeAll(async () => {
  lists = createServer((request, response) => {
    asked.push(request)
    const url = new URL(request.url ?? '/', 'http://lists')
    const answer = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (url.pathname === '/provinces')
      return answer({
        code: 200,
        success: true,
        data: [
          { label: '浙江', value: 'zj' },
          { label: '江苏', value: 'js' },
        ],
      })
    if (url.pathname === '/cities')
      return answer({
        data: url.searchParams.get('of') === 'zj' ? [{ label: '杭州', value: 'hz' }] : [{ label: '南京', value: 'nj' }],
      })
    if (url.pathname === '/drugs') {
      const [current, size] = [Number(url.searchParams.get('current')), Number(url.searchParams.get('size'))]
      return answer({
        code: 200,
        data: { records: DRUGS.slice((current - 1) * size, current * size), total: DRUGS.length },
      })
    }
    if (url.pathname === '/away') return response.writeHead(302, { location: '/provinces' }).end()
    if (url.pathname === '/endless') {
      const flood = setInterval(() => response.write('['.repeat(65_536)), 1)
      return response.on('close', () => clearInterval(flood))
    }
    return response.writeHead(500).end('boom')
  }).listen(0, '127.0.0.1')
  await new Promise((done) => lists.once('listening', done))
  host = `127.0.0.1:${(lists.address() as AddressInfo).port}`
  server = await createTestServer()
  Object.assign(server.services.config, { listHosts: [host] })
  admin = await server.signInAdmin()
})
afterAll(async () => {
  lists.closeAllConnections()
  lists.close()
  await server.close()
})
beforeEach(() => {
  asked = []
})

/** Saves a draft with these columns. Gives its page as a tablet reads it, and what keeps it from being published. */
async function saved(column: readonly object[]) {
  const projectId = (await createProject(admin)).id
  await changeStatus(admin, projectId, 'process')
  const { id: crfId } = await admin.get<VersionSummary>('version.save', { body: { projectId, remark: '需求' } })
  await admin.get('version.import', { query: { crfId }, body: definitionOf(column) })
  const row = await admin.get<VersionRow>('version.detail', { params: { id: crfId } })
  const page = readPage(JSON.parse(row.folders[0]?.pages[0]?.option ?? 'null'))
  if (!page.ok) throw new Error(JSON.stringify(page.error))
  const published = await admin.call('version.releaseTest', { query: { crfId } })
  const problems = published.error?.code === 'version_not_sound' ? (published.error.problems ?? []) : []
  return { page: page.page, problems: problems.map(({ output }) => output) }
}

const choicesOf = (page: Awaited<ReturnType<typeof saved>>['page'], prop: string) =>
  page.byCode.get(prop)?.choices.map(({ label }) => label)

describe('a list of choices', () => {
  it('of our own dictionaries lies with the page', async () => {
    const { page, problems } = await saved([
      {
        prop: 'role',
        label: '角色',
        type: 'select',
        dicUrl: '/api/blade-system/dict/dictionary?code=ProjectMemRoleEnum',
        props: { label: 'dictValue', value: 'dictKey' },
      },
    ])
    expect(choicesOf(page, 'role')).toContain('临床研究协调员（CRC）')
    expect(problems).toEqual([])
    expect(asked).toEqual([])
  })

  it('of another server that is allowed is fetched without anybody’s token, a chain once for each answer', async () => {
    const { page, problems } = await saved([
      { prop: 'province', label: '省', type: 'select', dicUrl: `http://${host}/provinces`, cascader: ['city'] },
      { prop: 'city', label: '市', type: 'select', dicUrl: `http://${host}/cities?of={{key}}` },
    ])
    expect(
      page.byCode
        .get('city')
        ?.chain?.by.get('zj')
        ?.map(({ label }) => label),
    ).toEqual(['杭州'])
    expect(choicesOf(page, 'city')).toEqual(['杭州', '南京'])
    expect(problems).toEqual([])
    expect(asked.map(({ url }) => url)).toEqual(['/provinces', '/cities?of=zj', '/cities?of=js'])
    expect(
      asked
        .flatMap(({ headers }) => [headers.authorization, headers['blade-auth'], headers.cookie])
        .filter((value) => value !== undefined),
    ).toEqual([])
  })

  it('of records to pick from is fetched page by page', async () => {
    const { page } = await saved([
      {
        prop: 'drug',
        label: '药品',
        type: 'table',
        props: { label: 'name', value: 'id' },
        children: {
          column: [{ prop: 'name', label: '名称' }],
          props: { url: `http://${host}/drugs`, rowKey: 'id', resKey: 'data.data' },
        },
      },
    ])
    expect(page.byCode.get('drug')?.choices).toHaveLength(730)
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['a server that is not allowed', 'http://127.0.0.1:9/provinces'],
    ['another scheme', 'file:///etc/passwd'],
    ['an address with a password in it', 'http://user:pass@HOST/provinces'],
    ['one that leads elsewhere', 'http://HOST/away'],
    ['one that fails', 'http://HOST/broken'],
    ['one that never ends', 'http://HOST/endless'],
  ])('of %s is not there, and keeps the version from being published', async (_what, address) => {
    const dicUrl = address.replace('HOST', host)
    const { page, problems } = await saved([{ prop: 'city', label: '市', type: 'select', dicUrl }])
    expect(choicesOf(page, 'city')).toEqual([])
    expect(problems).toEqual([dicUrl])
  })
})

describe('a field that takes its values from another page', () => {
  it('keeps the version from being published where that page or field does not exist', async () => {
    const { problems } = await saved([
      { prop: 'a', label: '甲', type: 'input', fkCrfPageId: 'VS', fkCrfPageColumn: 'b' },
      { prop: 'b', label: '乙', type: 'input', fkCrfPageId: 'VS', fkCrfPageColumn: 'nothing' },
      { prop: 'c', label: '丙', type: 'input', fkCrfPageId: 'NO', fkCrfPageColumn: 'b' },
    ])
    expect(problems).toEqual(['VS.nothing', 'NO.b'])
  })
})
