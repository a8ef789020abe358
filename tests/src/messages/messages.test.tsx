import '#tests/src/data/support/indexedDb.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Route, Routes } from 'react-router-dom'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ApiError } from '#core/api/errors.ts'
import { callOf } from '#core/api/table.ts'
import { tokenFailure } from '#core/api/envelope.ts'
import { messagesZh } from '#core/api/messages.zh.ts'
import type { VersionSummary } from '#core/api/calls/version.ts'
import type { Column } from '#core/form/definition/column.ts'
import type { JsonValue } from '#core/json.ts'
import { err, ok } from '#core/result.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { ForbiddenScreen } from '#src/app/ErrorScreens.tsx'
import { WorkspaceLayout } from '#src/frame/layouts/WorkspaceLayout.tsx'
import { DeleteProjectDialog } from '#src/frame/shell/bar/DeleteProjectDialog.tsx'
import { DraftDialog } from '#src/frame/shell/bar/DraftDialog.tsx'
import { LockDialog } from '#src/frame/shell/user/LockDialog.tsx'
import { LogBadge } from '#src/frame/shell/log/LogBadge.tsx'
import { LogoutDialog } from '#src/frame/shell/user/LogoutDialog.tsx'
import { MigrationProgress } from '#src/frame/shell/migration/MigrationProgress.tsx'
import { FormErrorBox } from '#src/form/FormErrorBox.tsx'
import { FormView } from '#src/form/FormView.tsx'
import { zh } from '#src/i18n/zh.ts'
import { addLine, logLines, removeLines } from '#src/log/store.ts'
import { AddCenterDialog } from '#src/screens/admin/center/AddCenterDialog.tsx'
import { AddMemberDialog } from '#src/screens/admin/AddMemberDialog.tsx'
import { RemoveMemberDialog } from '#src/screens/admin/RemoveMemberDialog.tsx'
import { VersionActions } from '#src/screens/versions/VersionActions.tsx'
import { BouncedSubmit } from '#src/screens/ecrf/notes/BouncedSubmit.tsx'
import type { Autosave, SaveStatus } from '#src/screens/ecrf/page/autosave.ts'
import { EntryFooter } from '#src/screens/ecrf/page/EntryFooter.tsx'
import { NotEchoedNote } from '#src/screens/ecrf/notes/NotEchoedNote.tsx'
import { HomeScreen } from '#src/screens/home/HomeScreen.tsx'
import { LoginScreen } from '#src/screens/login/LoginScreen.tsx'
import { EnrolDialog } from '#src/screens/patients/EnrolDialog.tsx'
import { CreateProjectDialog } from '#src/screens/projects/CreateProjectDialog.tsx'
import { StartProjectDialog } from '#src/frame/StartProjectDialog.tsx'
import { PushDialog } from '#src/ui/dialogs/PushDialog.tsx'
import { decodeAnswer } from '#src/session/calls/decode.ts'
import type { Session } from '#src/session/types.ts'
import { VITALS, entry, opened } from '#tests/core/form/filling.ts'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show, speak } from '#tests/src/support/screen.tsx'

/** The messages of the specification (§5, §8), word for word, each drawn by the part of the app that shows it. */

beforeAll(() => speak('zh'))
beforeEach(() => removeLines(logLines()))

const nothing = (): void => undefined
const administered = (facts: Partial<ProjectRow> = {}) =>
  projectRow({
    role: 'ADMIN',
    permissions: [...defaultPermissions('ADMIN'), ...defaultPermissions('PM'), ...defaultPermissions('DBD')],
    ...facts,
  })
const refusing = (error: ApiError): Desk => ({ session: { call: (async () => err(error)) as Session['call'] } })
const at = (part: ReactNode, desk: Desk = {}, address = '/') => show(<AtDesk desk={desk}>{part}</AtDesk>, address)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

function workspace(desk: Desk, path = 'v/1/patients') {
  const routes = (
    <Routes>
      <Route path="/p/:id" element={<WorkspaceLayout />}>
        <Route path="*" element={<p>画面</p>} />
      </Route>
      <Route path="/wel/index" element={<HomeScreen />} />
    </Routes>
  )
  at(routes, desk, `/p/${projectRow().id}/${path}`)
}
const inProject = (facts: Partial<ProjectRow>, path?: string) => {
  const project = projectRow({ role: 'CRC', permissions: [...defaultPermissions('CRC')], ...facts })
  workspace({ project: async () => ok(project) }, path)
}

/** Another one each time, for what was read is remembered. */
let versions = 1
function version(crfProfile: VersionSummary['crfProfile'], desk: Desk = {}) {
  const row: VersionSummary = {
    id: `v${(versions += 1)}`,
    versionNo: 2,
    versionNoDesc: 'V2.0',
    crfProfile,
    crfProfileDesc: '',
    remark: '修订',
    createdAt: '2026-05-06T08:00:00.000Z',
  }
  at(<VersionActions project={administered()} version={row} />, desk)
}

const JUDGED = { result: 1, content: '全部页面', suggest: '无', isSign: false } as const

/** A server where this user tests the version, and what they found so far; signing it makes it signed. */
function reviewing(
  found: {
    readonly result: 1 | 2 | null
    readonly content: string | null
    readonly suggest: string | null
    readonly isSign: boolean
  } = { result: null, content: null, suggest: null, isSign: false },
): Desk {
  let now = found
  const call = async (id: string) => {
    if (id === 'version.approveSign') now = { ...now, isSign: true }
    if (id === 'version.migrationPlan') return ok({ from: null, patients: 0, lines: [], archived: [], problems: [] })
    return ok(
      id === 'version.approveList'
        ? [
            {
              id: 'a1',
              username: '吴项目',
              userId: '0190a000-0000-7000-8000-0000000000aa',
              isTester: true,
              trial: { pages: 3, tried: 2, submitted: 1, lastAt: '2026-05-06T08:00:00.000Z' },
              signedAt: now.isSign ? '2026-05-06T09:30:00.000Z' : null,
              ...now,
            },
          ]
        : true,
    )
  }
  return { session: { call: call as unknown as Session['call'] } }
}

async function review(found?: Parameters<typeof reviewing>[0]) {
  version('test', reviewing(found))
  await press('审核')
}

async function signed() {
  await review(JUDGED)
  await press('签名')
  await userEvent.type(await screen.findByLabelText(/登录密码/, { selector: 'input' }), 'My-Password-1')
  const [, sign] = await screen.findAllByRole('button', { name: '签名', hidden: true })
  if (sign !== undefined) await userEvent.click(sign)
}

/** Tries an action of a version and confirms it; the second button of the name is the dialog's. */
async function doTo(crfProfile: VersionSummary['crfProfile'], action: string, desk: Desk) {
  version(crfProfile, desk)
  await press(action)
  const [, confirm] = await screen.findAllByRole('button', { name: action, hidden: true })
  if (confirm === undefined) throw new Error('nothing to confirm')
  await userEvent.click(confirm)
}

async function errorLog(action: '上传到服务器' | '清空本地日志', answer?: '上传' | '清空') {
  addLine({
    url: '/projects',
    time: '2026-11-22T01:00:00.000Z',
    type: 'screen',
    message: 'broken',
    stack: '',
    info: '',
  })
  at(<LogBadge />, { session: { call: (async () => ok(true)) as unknown as Session['call'] } })
  await press(/本地错误日志/)
  await press(action)
  if (answer !== undefined) await press(answer)
}

function saving(status: SaveStatus) {
  const autosave = {
    subscribe: () => nothing,
    getStatus: () => status,
    flush: async () => undefined,
  } as unknown as Autosave
  at(
    <EntryFooter
      autosave={autosave}
      readOnly={false}
      look={{ submitText: null, submitTextEn: null, menuPosition: null }}
      reasons={null}
      onPrevious={null}
      onNext={null}
      onSubmit={async () => undefined}
      onSubmitAndNext={null}
    />,
  )
}

async function signingIn(error: ApiError) {
  const session: Partial<Session> = {
    current: { state: 'signed_out', knownUsers: [], error: null },
    signIn: async () => err(error),
  }
  at(<LoginScreen />, { session }, '/login')
  await userEvent.type(screen.getByRole('textbox', { name: '账号' }), 'crc')
  await userEvent.type(screen.getByLabelText('密码', { selector: 'input' }), 'wrong{Enter}')
}

/** The error that an answer of a server is, as the app reads it. */
function answered(call: 'auth.token' | 'project.remove', body: unknown): ApiError {
  const result = decodeAnswer(callOf(call), body)
  if (result.ok) throw new Error('this is no failure')
  return result.error
}

async function pushing() {
  at(
    <PushDialog
      ways={['note', 'email']}
      recipients={[{ id: '1', name: '01-001', unreachable: [] }]}
      onSend={async () => ok(true)}
      onClose={nothing}
    />,
  )
  await userEvent.click(await screen.findByRole('checkbox', { name: '01-001' }))
  await press('发送')
}

function migrated() {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:log')
  const result = {
    id: 't1',
    type: 'migration',
    status: 1,
    finishedCount: 3,
    totalCount: 3,
    source: 'V2.0',
    log: '01-001',
  }
  at(<MigrationProgress task={{ taskId: 't1', projectId: projectRow().id }} isOwn onDismiss={nothing} />, {
    session: { call: (async () => ok(result)) as unknown as Session['call'] },
  })
}

async function enrolling(mobile: string) {
  const center = {
    id: 'c1',
    centerName: '北院',
    centerCode: '01',
    status: 'active',
    groupSummary: null,
    planEnrolls: null,
    siteNo: null,
    numberTemplate: null,
  } as const
  at(
    <EnrolDialog
      project={administered({ permissions: ['patient_enrol', 'patient_sensitive'] })}
      centers={[center]}
      onClose={nothing}
    />,
  )
  await userEvent.type(await screen.findByLabelText('手机号'), mobile)
  await userEvent.tab()
}

async function sending(dialog: ReactNode, name: string) {
  at(dialog)
  await press(name)
}

function drawnForm(columns: readonly Column[], values: Readonly<Record<string, JsonValue>>) {
  const state = opened(columns, entry(values))
  state.validate()
  at(<FormView state={state} mode="input" language="zh" />)
}

interface Shown {
  readonly says: string
  readonly where: string
  readonly draw: () => unknown
}

const shown: readonly Shown[] = [
  // §5
  {
    says: '锁屏密码不能为空',
    where: 'locking without a password',
    draw: () => sending(<LockDialog refused={null} onClose={nothing} />, '锁定'),
  },
  {
    says: '必填内容',
    where: 'a draft without its requirement note',
    draw: () => sending(<DraftDialog projectId="p" onClose={nothing} />, '新建'),
  },
  {
    says: '必填内容',
    where: 'a project without a name',
    draw: () => sending(<CreateProjectDialog onClose={nothing} />, '新建'),
  },
  {
    says: '请选择',
    where: 'a member without a user',
    draw: () => sending(<AddMemberDialog projectId="p" centers={[]} isDouble={false} onClose={nothing} />, '添加'),
  },
  {
    says: '只能是 1–20 位字母或数字',
    where: 'a center without a code',
    draw: () => sending(<AddCenterDialog projectId="p" onClose={nothing} />, '添加'),
  },
  { says: '手机号不是 11 位', where: 'enrolling with a short number', draw: () => enrolling('138') },
  { says: '手机号格式不正确', where: 'enrolling with a wrong number', draw: () => enrolling('23800138000') },
  {
    says: '请所有人员审核通过后发布正式版!',
    where: 'releasing before all have approved',
    draw: () => doTo('test', '发布正式版', reviewing()),
  },
  {
    says: '请所有人员审核通过后发布正式版!',
    where: 'a release that the server refuses',
    draw: () => doTo('test', '发布正式版', refusing({ code: 'approvals_missing' })),
  },
  {
    says: '必填项',
    where: 'a review without result, content and suggestion',
    draw: async () => {
      await review()
      await press('签名')
    },
  },
  {
    says: '必须签名!',
    where: 'a review that is not signed',
    draw: async () => {
      await review()
      await press('完成')
    },
  },
  {
    says: '请点击签名',
    where: 'a review that is not signed',
    draw: async () => {
      await review()
      await press('完成')
    },
  },
  {
    says: '请签名',
    where: 'signing a review',
    draw: async () => {
      await review(JUDGED)
      await press('签名')
    },
  },
  { says: '签名成功', where: 'a review that was signed', draw: () => signed() },
  // §8
  {
    says: '服务器说的原因',
    where: 'any call that fails with a msg',
    draw: () =>
      doTo(
        'draft',
        '删除草稿',
        refusing(answered('project.remove', { code: 400, success: false, data: null, msg: '服务器说的原因' })),
      ),
  },
  {
    says: '未知错误',
    where: 'any call that fails without a word',
    draw: () =>
      doTo(
        'draft',
        '删除草稿',
        refusing(answered('project.remove', { code: 500, success: false, data: null, msg: '' })),
      ),
  },
  {
    says: '用户登录失败次数过多，请稍后再试',
    where: 'a sign-in that answers with error_description',
    draw: () => signingIn(answered('auth.token', tokenFailure({ code: 'account_locked' }, messagesZh.account_locked))),
  },
  {
    says: '项目下还有受试者',
    where: 'deleting a project whose answer is not 0',
    draw: async () => {
      at(
        <DeleteProjectDialog project={administered()} onClose={nothing} />,
        refusing({ code: 'transition_refused', message: '项目下还有受试者' }),
      )
      await press('删除')
    },
  },
  {
    says: '确认删除林协调吗?',
    where: 'before a member is removed',
    draw: () => at(<RemoveMemberDialog member={{ id: 'm', projectId: 'p', realName: '林协调' }} onClose={nothing} />),
  },
  {
    says: '您没有这个项目',
    where: 'home, when a project cannot be loaded',
    draw: () => workspace({ project: async () => err({ code: 'forbidden', message: '您没有这个项目' }) }),
  },
  {
    says: '回到项目列表',
    where: 'a project without a menu: the way to the others',
    draw: () => inProject({ functions: [], permissions: [] }),
  },
  ...['基线 / 生命体征', '公式', '引用了不存在的字段'].map((says) => ({
    says,
    where: 'publishing to test with code -1: target, output and content',
    draw: () =>
      doTo(
        'draft',
        '发布到测试',
        refusing({
          code: 'version_not_sound',
          problems: [{ target: '基线 / 生命体征', output: '公式', content: '引用了不存在的字段' }],
        }),
      ),
  })),
  {
    says: '保存失败',
    where: 'the foot of a page that could not be saved',
    draw: () => saving({ state: 'failed', error: { code: 'storage_full' } }),
  },
  {
    says: '提交错误',
    where: 'a page whose submit the server refused',
    draw: () =>
      at(
        <BouncedSubmit
          bounced={{ why: 'invalid', messages: { height: '必填' } }}
          form={opened(VITALS)}
          language="zh"
          onJump={nothing}
        />,
      ),
  },
  {
    says: '错误',
    where: 'the box of what is wrong on a page',
    draw: () =>
      at(
        <FormErrorBox
          state={opened(VITALS)}
          issues={[]}
          messages={{ height: '必填' }}
          language="zh"
          onJump={nothing}
        />,
      ),
  },
  {
    says: '身高必须填写',
    where: 'a required field that was left empty',
    draw: () =>
      at(
        <FormErrorBox
          state={opened(VITALS)}
          issues={[{ key: 'height', issues: [{ code: 'required' }] }]}
          language="zh"
          onJump={nothing}
        />,
      ),
  },
  {
    says: 'sex 字段未回显',
    where: 'a page with a value that its form cannot show',
    draw: () => at(<NotEchoedNote form={opened(VITALS)} data={entry({ sex: 'X' })} masked={false} />),
  },
  {
    says: 'former：表单中未找到',
    where: 'a page with data that its form does not have',
    draw: () => at(<NotEchoedNote form={opened(VITALS)} data={entry({ former: 22 })} masked={false} />),
  },
  {
    says: '7 数据不存在或已损坏!',
    where: 'a record that was picked and is not there',
    draw: () =>
      drawnForm(
        [
          {
            prop: 'drug',
            label: '药品',
            type: 'table',
            dicData: [{ label: '桂枝汤', value: '1' }],
            props: { value: 'value' },
          },
        ],
        { drug: '7' },
      ),
  },
  { says: '确定上传本地日志到服务器?', where: 'the error log', draw: () => errorLog('上传到服务器') },
  { says: '发送成功!', where: 'the error log', draw: () => errorLog('上传到服务器', '上传') },
  { says: '确定清空本地日志记录?', where: 'the error log', draw: () => errorLog('清空本地日志') },
  { says: '清空成功!', where: 'the error log', draw: () => errorLog('清空本地日志', '清空') },
  { says: '您似乎没有可用的菜单', where: 'a project without a function', draw: () => inProject({ functions: [] }) },
  {
    says: '请联系管理员分配权限和菜单',
    where: 'a project without a function',
    draw: () => inProject({ functions: [] }),
  },
  { says: '无权限', where: 'a place that the user may not enter', draw: () => inProject({}, 'devices') },
  {
    says: '您当前没有权限或该功能未启用，请联系管理员',
    where: 'a place that the user may not enter',
    draw: () => inProject({}, 'devices'),
  },
  { says: '您当前没有权限或该功能未启用，请联系管理员', where: '/403', draw: () => at(<ForbiddenScreen />) },
  {
    says: '确定要删除本项目?',
    where: 'deleting a project',
    draw: () => at(<DeleteProjectDialog project={administered()} onClose={nothing} />),
  },
  {
    says: '确认要删除这个草稿版的表单？',
    where: 'deleting a draft',
    draw: () => {
      version('draft')
      return press('删除草稿')
    },
  },
  {
    says: '确定要退回到草稿版重新编辑？',
    where: 'sending a test version back',
    draw: () => {
      version('test')
      return press('退回草稿')
    },
  },
  { says: '是否退出系统, 是否继续?', where: 'signing out', draw: () => at(<LogoutDialog opened onClose={nothing} />) },
  { says: '请选择推送方式', where: 'a message to subjects of which nothing is said', draw: () => pushing() },
  { says: '请选择内容', where: 'a message to subjects of which nothing is said', draw: () => pushing() },
  { says: '请选择收件人', where: 'a message to nobody', draw: () => pushing() },
  // §2 and §4
  { says: '项目发布成功，请退出后重新进入!', where: 'the end of a migration', draw: () => migrated() },
  {
    says: '当前项目已暂停，暂时无法操作!',
    where: 'a paused project',
    draw: () => inProject({ projectStatus: 'stop' }),
  },
  { says: '数据已锁定', where: 'an ended project', draw: () => inProject({ projectStatus: 'close' }) },
  {
    says: '现在开始',
    where: 'entering a project that is being set up',
    draw: () => at(<StartProjectDialog project={administered({ projectStatus: 'start' })} onClose={nothing} />),
  },
  {
    says: '取消',
    where: 'entering a project that is being set up',
    draw: () => at(<StartProjectDialog project={administered({ projectStatus: 'start' })} onClose={nothing} />),
  },
]

test.each(shown)('$where: $says', async ({ says, draw }) => {
  await draw()
  const found = await screen.findAllByText((_, element) => element !== null && said(element).includes(says))
  expect(found.length).toBeGreaterThan(0)
})

/** What an element says itself, not by what stands in it. */
function said(element: Element): string {
  return [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.textContent)
    .join('')
}

/** Messages that nothing of today can show, and why. When a screen comes that can, its message moves up. */
const notShown: readonly { readonly says: string; readonly why: string }[] = [
  { says: '手机号不能为空', why: 'no form asks for a number that must be there' },
  { says: '请求失败', why: 'no AI assistant' },
  { says: '复制成功', why: 'no AI assistant' },
  { says: '复制失败', why: 'no AI assistant' },
]

test('what is listed as not shown is in no screen’s words', () => {
  const words = JSON.stringify(zh)
  expect(notShown.filter(({ says, why }) => why === '' || words.includes(`"${says}`))).toEqual([])
})
