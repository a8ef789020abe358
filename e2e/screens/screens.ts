import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { openHistory } from '#e2e/support/hand.ts'
import type { Seat } from './seats.ts'
import { takeShifts } from './shifts.ts'
import type { Places, Who, World } from './world.ts'

/** Every screen of the app, how one gets there, and in which states it can be looked at. */

export const states = ['filled', 'empty', 'error', 'offline'] as const
export type State = (typeof states)[number]

/** What a way to a screen has at hand. The app speaks Chinese while it is walked. */
export interface Stage {
  readonly world: World
  readonly places: Places
  readonly seat: Seat
  readonly page: Page
}

export interface Way {
  readonly who: Who
  /** Opens the screen in this state. May be walked again, at another size. */
  readonly show: (stage: Stage) => Promise<unknown>
  /** What is only there while the screen is, in either language. */
  readonly sign: (page: Page) => Locator
  /** Opened anew at every size: it is something else there. */
  readonly bySize?: true
  /** The network goes away for it, and does not come back at this device. */
  readonly cuts?: true
  /** Calls at which the server fails meanwhile. */
  readonly failing?: RegExp
  /** Puts back what would be in the way of the next screen. */
  readonly after?: (stage: Stage) => Promise<unknown>
}

export interface Screen {
  readonly name: string
  /** Paths of `src/app/routes/routes.tsx`, `InsideRoutes.tsx` and `projectRoutes.tsx` that it shows. */
  readonly routes: readonly string[]
  /** Whether it lies before the sign-in. */
  readonly isPublic?: true
  /** Shown with the longest real names; not where the samples are missing. */
  readonly isLong?: true
  /** Only in windows that are narrower than this, in px: wider ones have no such thing. */
  readonly below?: number
  readonly states: Partial<Readonly<Record<State, Way>>>
}

/** Paths that show nothing: they lead on. */
export const redirects: readonly string[] = [
  '/',
  '/wel',
  '/302',
  '/info',
  '/info/index',
  '*',
  '/project/:id',
  '/p/:id',
  '/p/:id/admin',
  '/p/:id/v/:crfId',
  '/eCRF/:patientId/:branch/:pageId',
  '/eCRF/:patientId/:branch/:pageId/canvas/attach/:attachId',
]

/** What somebody sees: lists that are drawn ahead lie beside it in the page. */
const seen = (page: Page, selector: string): Locator => page.locator(selector).filter({ visible: true })

const heading = (page: Page): Locator => seen(page, 'main h1')
const dialog = (page: Page): Locator => page.getByRole('dialog').last()
const alert = (page: Page): Locator => page.locator('[role=alert]').first()
/** Of an empty list, or of one that could not be had. */
const emptyState = (page: Page): Locator => page.getByRole('button', { name: /^(?:清除全部条件|Clear all filters)$/ })
const retry = (page: Page): Locator => page.getByRole('button', { name: /^(?:重试|Retry|Try again)$/ })
const rows = (page: Page): Locator => seen(page, 'main tbody tr').first()
/** A row of a table frame, and its panel: a tap beside the link of the row opens it. */
const line = (page: Page): Locator => seen(page, 'main [data-row]').first()
const openRow = async ({ page }: Stage): Promise<void> => {
  await line(page).waitFor()
  const details = page.locator('main [data-details]:visible').first()
  await (
    (await details.count()) > 0 ? details : line(page).locator('[data-cell]').filter({ visible: true }).last()
  ).click()
}
const rowPanel = (page: Page): Locator => seen(page, 'aside h2').last()
/** What belongs to a page or a field: in a dialog, or beside the page where there is room. */
const dialogOrPanel = (page: Page): Locator => dialog(page).or(rowPanel(page))
const offlineWord = (page: Page): Locator => page.locator('header output').filter({ hasText: /离线|Offline/i })

/** Until the device has been checked: then what was found can be copied. */
const checked = (page: Page): Promise<void> => page.getByRole('button', { name: '复制结果', disabled: false }).waitFor()

function at(who: Who, path: (stage: Stage) => string, sign: (page: Page) => Locator = heading): Way {
  return { who, show: ({ seat, ...rest }) => seat.go(path({ seat, ...rest })), sign }
}

/** The same, loaded anew while the server fails at what the screen reads. */
function failed(who: Who, path: (stage: Stage) => string, failing: RegExp, sign: (page: Page) => Locator = retry): Way {
  return { who, show: ({ seat, ...rest }) => seat.load(path({ seat, ...rest })), sign, failing }
}

/** What the keeper of a center sees without a network. */
function offline(path: (stage: Stage) => string, then?: (stage: Stage) => Promise<unknown>): Way {
  return {
    who: 'keeper',
    show: async (stage) => {
      await stage.seat.cut()
      if (!(await offlineWord(stage.page).isVisible())) {
        // Whoever asks the server for something learns that it is away.
        await stage.seat.go('/device')
        await stage.page.getByRole('button', { name: '立即同步' }).click()
        await offlineWord(stage.page).waitFor({ timeout: 60_000 })
      }
      await stage.seat.go(path(stage))
      await then?.(stage)
    },
    sign: (page) => page.locator('h1').first(),
    cuts: true,
  }
}

/** A screen with something opened on it. */
function opened(
  who: Who,
  path: (stage: Stage) => string,
  open: (stage: Stage) => Promise<unknown>,
  sign: (page: Page) => Locator = dialog,
): Way {
  return {
    who,
    show: async (stage) => {
      await stage.seat.go(path(stage))
      await open(stage)
    },
    sign,
  }
}

/** A list of the top bar: in the bar itself where there is room, else behind its last button. */
function listOfBar(name: RegExp): Way {
  const way = opened('pm', patients, async ({ page }) => {
    const bar = page.getByRole('banner')
    const more = bar.getByRole('button', { name: '更多' })
    const own = bar.getByRole('button', { name })
    const inMenu = page.getByRole('dialog').getByRole('button', { name })
    // The bar belongs to a project, which is read first.
    await more.waitFor()
    // A list moves between the bar and the menu a moment after the width has changed. What is open is not pressed
    // again: that would close it.
    await expect(async () => {
      if (await own.isVisible()) return own.click({ timeout: 2000 })
      if (!(await inMenu.isVisible())) await more.click({ timeout: 2000 })
      return inMenu.click({ timeout: 2000 })
    }).toPass({ timeout: 30_000 })
  })
  return { ...way, bySize: true }
}

const patients = ({ world }: Stage): string => world.inVersion('patients')
const design = ({ world }: Stage): string => world.inVersion('design')
const firstPageOfDesign = ({ page }: Stage): Promise<void> =>
  page.getByRole('tree').getByRole('treeitem', { level: 2 }).first().click()
const rules = ({ world }: Stage): string => world.inVersion('controller')
const firstRule = ({ page }: Stage): Promise<void> =>
  page.getByRole('listbox', { name: '规则列表' }).getByRole('option').first().click()
/** Questions of a file: one that can be asked, one about a field of its own visit, and what cannot. */
const QUESTIONS = [
  '受试者编号,访视,访视序号,页面,页面序号,表格行,字段,质疑内容,优先,截止',
  '01-002,筛选期,,生命体征,,,脉搏,脉搏 77 次/分与心电图不符，请核对原始记录。,是,2026-12-31',
  '01-002,筛选期,,人口学,,,,请补充知情同意书的签署时间。,,',
  '01-999,筛选期,,生命体征,,,脉搏,该受试者不存在。,,',
  '01-003,筛选期,,生命体征,,,脉搏,,,',
]

const queries = ({ world }: Stage): string => world.inVersion('query')
const answerBox = (page: Page): Locator => seen(page, 'aside textarea')
/** Begins an answer to the first query that waits for one. What an earlier walk began is there again. */
async function answering(stage: Stage): Promise<void> {
  await openRow(stage)
  const answer = stage.page.locator('aside').getByRole('button', { name: '答复', exact: true })
  await answer.waitFor()
  if (!(await answerBox(stage.page).isVisible())) await answer.click()
}
/** That all of the open page is verified. */
const wholePage = (page: Page): Locator => seen(page, 'main output').filter({ hasText: /(\d+)\/\1\b/ })
/** Verifies all of the open page, unless that was done before. */
async function verifiedPage({ page }: Stage): Promise<void> {
  const all = page.getByRole('button', { name: /^本页全部核查/ })
  await page
    .locator('main output')
    .filter({ hasText: /\d+\/\d+/ })
    .first()
    .waitFor()
  if (await all.isEnabled()) await all.click()
  await wholePage(page).waitFor()
  // What moved by then followed what was pressed.
  await takeShifts(page)
}
const check =
  (query = '') =>
  ({ world }: Stage): string =>
    `${world.inVersion('check')}${query}`
const reports =
  (query = '') =>
  ({ world }: Stage): string =>
    `${world.inVersion('report')}${query}`
/** Reports that are sent by schedule: one that goes on, one that was not sent, one that is paused. */
const SCHEDULED = {
  email: 'ready',
  schedules: (
    [
      ['queries', { every: 'day' }, '2026-12-02', null, { day: '2026-12-01', why: null }],
      ['visits', { every: 'week', weekday: 1 }, '2026-12-07', null, { day: '2026-11-30', why: 'unreachable' }],
      ['enrolment', { every: 'month', day: 28 }, null, 'member', null],
    ] as const
  ).map(([kind, rhythm, nextDay, paused, last], at) => ({
    id: `0190a000-0000-7000-8000-00000000000${at}`,
    kind,
    rhythm,
    nextDay,
    paused,
    last,
    centerId: null,
    centerName: null,
    language: 'zh',
  })),
}
const exporting =
  (query = '') =>
  ({ world }: Stage): string =>
    `${world.inVersion('export')}${query}`
const statistics =
  (query = '') =>
  ({ world }: Stage): string =>
    `${world.inVersion('statistical')}${query}`
/** Its figures as a table are folded below it. */
const figure = (page: Page): Locator => seen(page, 'main section figure svg').first()
const result = (page: Page): Locator => seen(page, 'main section table').first()
const editPlan = async ({ page }: Stage): Promise<void> => {
  // A plan that was begun before is there again.
  const edit = page.getByRole('button', { name: '修订计划' })
  const picker = page.getByRole('searchbox', { name: '查找表单页或字段' })
  await edit.or(picker).first().waitFor()
  if (await edit.isVisible()) await edit.click()
  await picker.waitFor()
}
const database = ({ world }: Stage): string => world.inVersion('database')
const tableSearch = ({ world }: Stage): string => world.inVersion('tableSearch')
const cells = (page: Page): Locator => seen(page, 'main [data-column]').first()
/** Chooses the vital signs of all visits. */
const choosePage = async ({ page }: Stage): Promise<void> => {
  await page.getByRole('combobox', { name: /^(?:表单页|Page)$/ }).click()
  await page
    .getByRole('option', { name: /生命体征|Vital/ })
    .first()
    .click()
}
const workspace = ({ world }: Stage): string => world.inVersion('workspace')
const inProject =
  (path: string) =>
  ({ places }: Stage): string =>
    `/p/${places.projectId}/${path}`
const inEmpty =
  (path: string) =>
  ({ places }: Stage): string =>
    `/p/${places.empty.projectId}/${path}`
const inEmptyVersion =
  (path: string) =>
  ({ places }: Stage): string =>
    `/p/${places.empty.projectId}/v/${places.empty.versionId}/${path}`
const uat = ({ places }: Stage): string => `/p/${places.uat.projectId}/v/${places.uat.versionId}/trial`
const projectVisits = ({ world }: Stage): string => world.inVersion('visit')
const dictionaries = ({ world }: Stage): string => world.inVersion('dict')
const patientVisits = ({ places }: Stage): string => `/eCRF/${places.patientId}/visit?p=${places.projectId}`
const passes = ({ places }: Stage): string => `/eCRF/${places.patientId}/diff?p=${places.projectId}`
const casebook = ({ places }: Stage): string => `/eCRF/${places.patientId}?p=${places.projectId}`
const pageOf =
  (entry: 'vitals' | 'demography') =>
  ({ places }: Stage): string =>
    `/eCRF/${places.patientId}/page/${places[entry]}?p=${places.projectId}`
const freshVitals = ({ places }: Stage): string =>
  `/eCRF/${places.freshPatientId}/page/${places.freshVitals}?p=${places.projectId}`
const files = ({ places }: Stage): string => `/eCRF/${places.patientId}/attach?p=${places.projectId}`
const messages = ({ places }: Stage): string => `/eCRF/${places.patientId}/message?p=${places.projectId}`
const noMessages = ({ places }: Stage): string => `/eCRF/${places.freshPatientId}/message?p=${places.projectId}`
const noFiles = ({ places }: Stage): string => `/eCRF/${places.freshPatientId}/attach?p=${places.projectId}`
const trail = ({ places }: Stage): string => `/eCRF/${places.patientId}/log?p=${places.projectId}`
const freshTrail = ({ places }: Stage): string => `/eCRF/${places.freshPatientId}/log?p=${places.projectId}`
const oneFile =
  (way: string) =>
  ({ places }: Stage): string =>
    `/eCRF/${places.patientId}/${way}/${places.fileId}?p=${places.projectId}`
const tonguePage = ({ places }: Stage): string =>
  `/eCRF/${places.patientId}/page/${places.tongue}?p=${places.projectId}&field=tongue_photo`
const conflict = ({ places }: Stage): string =>
  `/conflict/${places.conflict.entryId}/${places.conflict.conflictId}?p=${places.projectId}`
const inLong =
  (path: string) =>
  ({ places }: Stage): string =>
    `/p/${places.long?.projectId ?? ''}/v/${places.long?.versionId ?? ''}/${path}`
const button =
  (name: string | RegExp) =>
  ({ page }: Stage): Promise<void> =>
    page.locator('main').getByRole('button', { name }).first().click()

const fromMenu =
  (menu: string, name: string) =>
  async ({ page }: Stage): Promise<void> => {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitem', { name }).click()
  }

/** Opens what is seldom done about a patient. */
const ofPatient = (name: string) => fromMenu('更多操作', name)

async function exportedToRedcap(stage: Stage): Promise<void> {
  await button('导出')(stage)
  const within = stage.page.getByRole('dialog')
  await within.getByRole('radio', { name: /REDCap/ }).click()
  await within.getByRole('button', { name: '生成文件' }).click()
}

/** The dialog of a new dictionary with its entries as these lines. */
function writtenDictionary(lines: string) {
  return async (stage: Stage): Promise<void> => {
    await button('新建字典')(stage)
    const within = stage.page.getByRole('dialog')
    await within.getByLabel(/^编码/).fill('TCM')
    await within.getByLabel(/^名称/).fill('证候')
    await within.getByLabel(/^条目/).fill(lines)
  }
}

async function userMenu({ page }: Stage): Promise<void> {
  await page.getByRole('button', { name: /用户菜单/ }).click()
  await page.getByRole('button', { name: '退出登录' }).waitFor()
}

const publicScreens: readonly Screen[] = [
  {
    name: 'login-empty',
    routes: [],
    isPublic: true,
    states: {
      error: {
        who: 'guest',
        show: async ({ seat, page }) => {
          await seat.load('/login')
          await page.locator('form button[type=submit]').click()
        },
        sign: (page) => page.locator('input[name=username][aria-invalid=true]'),
      },
    },
  },
  {
    name: 'login',
    routes: ['/login'],
    isPublic: true,
    states: {
      filled: {
        who: 'guest',
        show: ({ seat }) => seat.load('/login'),
        sign: (page) => page.locator('form button[type=submit]'),
      },
      error: {
        who: 'guest',
        show: async ({ seat, page }) => {
          await seat.load('/login')
          await page.locator('input[name=username]').fill('nobody-here')
          await page.locator('input[name=password]').fill('wrong')
          await page.locator('form button[type=submit]').click()
        },
        sign: alert,
      },
      offline: {
        who: 'stranger',
        show: async ({ seat, page }) => {
          await seat.cut()
          await page.reload()
          // Until somebody asks the server for something nobody knows that it is away.
          await page.locator('input[name=username]').fill('nobody-here')
          await page.locator('input[name=password]').fill('wrong')
          await page.locator('form button[type=submit]').click()
        },
        sign: alert,
      },
    },
  },
  {
    name: 'login-look',
    routes: [],
    isPublic: true,
    states: {
      filled: {
        who: 'guest',
        show: async ({ seat, page }) => {
          await seat.load('/login')
          await page.getByRole('button', { name: '主题与颜色' }).click()
        },
        sign: dialog,
      },
    },
  },
  {
    name: 'change-password',
    routes: [],
    isPublic: true,
    states: {
      // Loaded anew it would ask for the first password again.
      filled: {
        who: 'newcomer',
        show: async () => undefined,
        sign: (page) => page.locator('input[autocomplete=new-password]').first(),
      },
      error: {
        who: 'newcomer',
        show: ({ page }) => page.locator('form button[type=submit]').click(),
        sign: (page) => page.locator('form p[class*="-error"]').first(),
      },
    },
  },
  {
    name: 'lock',
    routes: ['/lock'],
    isPublic: true,
    states: {
      filled: { who: 'locked', show: async () => undefined, sign: (page) => page.locator('form input[type=password]') },
      error: {
        who: 'locked',
        show: async ({ page }) => {
          await page.locator('form input[type=password]').fill('1111')
          await page.locator('form button[type=submit]').click()
        },
        sign: alert,
      },
    },
  },
  {
    name: 'self-check',
    routes: ['/test'],
    isPublic: true,
    states: {
      filled: {
        who: 'guest',
        show: async ({ seat, page }) => {
          await seat.load('/test')
          await checked(page)
        },
        sign: (page) => seen(page, 'main li h2, main li h3').first(),
      },
      offline: {
        who: 'stranger',
        show: async ({ seat, page }) => {
          await seat.cut()
          await page.getByRole('link', { name: '设备自检' }).click()
          await checked(page)
        },
        sign: (page) => seen(page, 'main li h2, main li h3').first(),
        after: ({ page }) => page.goBack(),
      },
    },
  },
  ...['404', '403', '500'].map((code): Screen => ({
    name: code,
    routes: [`/${code}`],
    isPublic: true,
    states: {
      filled: {
        who: 'guest',
        show: ({ seat }) => seat.load(`/${code}`),
        sign: (page) => page.locator('main').locator('a, button').first(),
      },
    },
  })),
]

const mainScreens: readonly Screen[] = [
  {
    name: 'home',
    routes: ['/wel/index'],
    states: {
      filled: at('keeper', () => '/wel/index'),
      empty: at('nobody', () => '/wel/index'),
      offline: offline(() => '/wel/index'),
    },
  },
  {
    name: 'projects',
    routes: ['/projects'],
    states: {
      filled: at('admin', () => '/projects'),
      empty: at('nobody', () => '/projects'),
      error: failed('pm', () => '/projects', /project\/list$/),
      offline: offline(() => '/projects'),
    },
  },
  {
    name: 'projects-table',
    routes: [],
    states: {
      filled: {
        ...at('admin', () => '/projects', rows),
        show: async ({ seat }) => {
          await seat.prefer({ projectView: 'table' })
          await seat.go('/projects')
        },
        after: ({ seat }) => seat.prefer({ projectView: 'card' }),
      },
    },
  },
  { name: 'project-new', routes: [], states: { filled: opened('admin', () => '/projects', button('新建项目')) } },
  {
    name: 'device',
    routes: ['/device'],
    states: {
      filled: at('keeper', () => '/device'),
      empty: at('nobody', () => '/device'),
      offline: offline(() => '/device'),
    },
  },
  {
    name: 'attention',
    routes: ['/attention'],
    states: {
      filled: at('keeper', () => '/attention'),
      empty: at('nobody', () => '/attention'),
      offline: offline(() => '/attention'),
    },
  },
  {
    name: 'notices-all',
    routes: ['/info/message'],
    states: {
      filled: opened(
        'dbd',
        () => '/info/message',
        ({ page }) => page.locator('main label').getByText('全部', { exact: true }).click(),
        (page) => seen(page, 'main li').first(),
      ),
      empty: at('nobody', () => '/info/message'),
      error: failed('dbd', () => '/info/message', /notice\/list$/),
      offline: offline(() => '/info/message'),
    },
  },
  {
    name: 'conflict',
    routes: ['/conflict/:entryId/:conflictId'],
    states: { filled: at('keeper', conflict), offline: offline(conflict) },
  },
  {
    name: 'conflict-undecided',
    routes: [],
    states: {
      error: opened(
        'keeper',
        conflict,
        async ({ page }) => {
          await page.getByRole('radio', { name: '录入其他值' }).check()
          await page.getByRole('button', { name: '保存处理结果' }).click()
        },
        (page) => page.locator('main').getByRole('alert').first(),
      ),
    },
  },
]

const barScreens: readonly Screen[] = [
  {
    name: 'user-menu',
    routes: [],
    states: { filled: opened('keeper', patients, userMenu), offline: offline(patients, userMenu) },
  },
  {
    name: 'look-dialog',
    routes: [],
    states: {
      filled: opened('keeper', patients, async (stage) => {
        await userMenu(stage)
        await stage.page.getByRole('button', { name: '主题与颜色' }).click()
      }),
    },
  },
  {
    name: 'lock-dialog',
    routes: [],
    states: {
      error: opened('keeper', patients, async (stage) => {
        await userMenu(stage)
        await stage.page.getByRole('button', { name: '锁定', exact: true }).click()
        await stage.page.getByRole('dialog').last().locator('button[type=submit]').click()
      }),
    },
  },
  {
    name: 'logout-dialog',
    routes: [],
    states: {
      filled: opened('keeper', patients, async (stage) => {
        await userMenu(stage)
        await stage.page.getByRole('button', { name: '退出登录' }).click()
      }),
    },
  },
  {
    name: 'error-log',
    routes: [],
    states: {
      filled: opened('pm', patients, async ({ page }) => {
        // A part of the app that fails, as one that was badly built would.
        await page.evaluate(() => {
          window.setTimeout(() => {
            throw new TypeError('Cannot read properties of undefined (reading "of nobody")')
          })
        })
        await page.getByRole('button', { name: /本地错误日志/ }).click()
      }),
    },
  },
  { name: 'bar-projects', routes: [], states: { filled: listOfBar(/选择项目/) } },
  { name: 'bar-versions', routes: [], states: { filled: listOfBar(/正式版/) } },
  { name: 'bar-centers', routes: [], states: { filled: listOfBar(/^中心/) } },
  { name: 'bar-members', routes: [], states: { filled: listOfBar(/^成员/) } },
  {
    name: 'bar-more',
    routes: [],
    states: {
      filled: {
        ...opened('pm', patients, ({ page }) => page.getByRole('banner').getByRole('button', { name: '更多' }).click()),
        bySize: true,
      },
    },
  },
  {
    name: 'functions-dialog',
    routes: [],
    states: {
      filled: opened('pm', patients, async ({ page }) => {
        await page.getByRole('banner').getByRole('button', { name: '更多' }).click()
        await page.getByRole('button', { name: '功能配置' }).click()
      }),
    },
  },
  {
    name: 'menu-drawer',
    routes: [],
    below: 992,
    states: { filled: opened('pm', patients, ({ page }) => page.getByRole('button', { name: '打开菜单' }).click()) },
  },
  {
    name: 'no-access',
    routes: [],
    states: { filled: at('keeper', inProject('admin/mem'), (page) => seen(page, 'main a[href="/projects"]').last()) },
  },
  {
    name: 'no-menu',
    routes: [],
    states: {
      empty: {
        who: 'cra',
        show: async ({ seat, ...rest }) => {
          await seat.withoutFunctions()
          await seat.load(patients({ seat, ...rest }))
        },
        sign: (page) => seen(page, 'main a[href="/projects"]').last(),
        after: async ({ seat }) => {
          await seat.letThrough()
          await seat.load('/projects')
        },
      },
    },
  },
  {
    name: 'project-failed',
    routes: [],
    states: { error: failed('dbd', patients, /project\/(?:detail|list)$/) },
  },
  {
    name: 'sign-in-again',
    routes: [],
    states: {
      error: {
        who: 'ended',
        show: ({ seat, world }) => seat.go(world.inVersion('workspace')),
        sign: (page) => page.locator('input[type=password]'),
      },
    },
  },
]

const adminScreens: readonly Screen[] = [
  {
    name: 'project-info',
    routes: ['/p/:id/admin/projectInfo'],
    states: { filled: at('admin', inProject('admin/projectInfo')) },
  },
  {
    name: 'project-conf',
    routes: ['/p/:id/admin/projectConf'],
    states: {
      filled: at('admin', inProject('admin/projectConf'), (page) => seen(page, 'main output li').first()),
      error: failed('pm', inProject('admin/projectConf'), /conf\/detail$/),
    },
  },
  {
    name: 'members',
    routes: ['/p/:id/admin/mem'],
    states: {
      filled: at('admin', inProject('admin/mem'), line),
      error: failed('pm', inProject('admin/mem'), /mem\/list$/),
    },
  },
  {
    name: 'number-template',
    routes: [],
    states: {
      error: opened(
        'admin',
        inProject('admin/projectConf'),
        ({ page }) =>
          page
            .locator('main')
            .getByLabel(/^编号规则/)
            .fill('P{Seq:000}'),
        alert,
      ),
    },
  },
  {
    name: 'member-edit',
    routes: [],
    states: {
      filled: opened('admin', inProject('admin/mem'), async (stage) => {
        await openRow(stage)
        await button(/^编辑“/)(stage)
      }),
    },
  },
  { name: 'member-new', routes: [], states: { filled: opened('admin', inProject('admin/mem'), button('添加成员')) } },
  {
    name: 'centers',
    routes: ['/p/:id/admin/site'],
    states: {
      filled: at('admin', inProject('admin/site'), rows),
      error: failed('pm', inProject('admin/site'), /center\/list$/),
    },
  },
  { name: 'center-new', routes: [], states: { filled: opened('admin', inProject('admin/site'), button('添加中心')) } },
  {
    name: 'center-edit',
    routes: [],
    states: {
      filled: opened('admin', inProject('admin/site'), button(/^编辑/), (page) =>
        page.getByRole('dialog').locator('output li').first(),
      ),
    },
  },
  {
    name: 'versions',
    routes: ['/p/:id/admin/crfHistory'],
    states: {
      filled: at('admin', inProject('admin/crfHistory'), rows),
      error: failed('pm', inProject('admin/crfHistory'), /history\/list$/),
    },
  },
  {
    name: 'design',
    routes: ['/p/:id/v/:crfId/design'],
    states: {
      filled: opened('dbd', design, firstPageOfDesign, (page) => page.getByRole('listbox').getByRole('option').first()),
      error: failed('dbd', design, /\/design$/),
    },
  },
  {
    name: 'rules',
    routes: ['/p/:id/v/:crfId/controller'],
    states: {
      filled: opened('dbd', rules, firstRule, (page) => page.getByRole('region', { name: '规则', exact: true })),
      error: failed('dbd', rules, /\/design$/),
    },
  },
  {
    name: 'design-preview',
    routes: [],
    states: {
      filled: opened('dbd', design, async (stage) => {
        await firstPageOfDesign(stage)
        await stage.page.locator('main').getByRole('button', { name: '预览' }).click()
      }),
    },
  },
  {
    name: 'trial',
    routes: ['/p/:id/v/:crfId/trial'],
    states: {
      filled: at('tester', uat, (page) => page.locator('[data-row]:visible').first()),
      empty: at(
        'dbd',
        ({ world }) => world.inVersion('trial'),
        (page) => page.getByText(/^(?:此版本不在测试中|This version is not in test)$/),
      ),
      error: failed('tester', uat, /trial\/list$/),
    },
  },
  { name: 'trial-clear', routes: [], states: { filled: opened('tester', uat, button('清空')) } },
  {
    name: 'trial-review',
    routes: [],
    states: {
      filled: opened('tester', ({ places }) => `/p/${places.uat.projectId}/admin/crfHistory`, button('审核')),
    },
  },
  {
    name: 'version-new',
    routes: [],
    states: { filled: opened('admin', inProject('admin/crfHistory'), button('新建草稿')) },
  },
  {
    name: 'version-export',
    routes: [],
    states: { filled: opened('admin', inProject('admin/crfHistory'), button('导出')) },
  },
  {
    name: 'version-export-written',
    routes: [],
    states: {
      filled: opened('admin', inProject('admin/crfHistory'), exportedToRedcap, (page) =>
        page.getByRole('table', { name: '未写入的内容' }),
      ),
    },
  },
  {
    name: 'inbox',
    routes: ['/p/:id/inbox'],
    states: { empty: at('dbd', inProject('inbox')), error: failed('dbd', inProject('inbox'), /sync\/inbox$/) },
  },
  {
    name: 'devices',
    routes: ['/p/:id/devices'],
    states: {
      filled: at('dbd', inProject('devices')),
      empty: at('admin', inEmpty('devices')),
      error: failed('dbd', inProject('devices'), /sync\/devices$/),
    },
  },
  {
    name: 'dict',
    routes: ['/p/:id/v/:crfId/dict'],
    states: {
      filled: at('dbd', dictionaries, rows),
      empty: at('admin', inEmptyVersion('dict')),
      error: failed('dbd', dictionaries, /dict\/parent-list$/),
    },
  },
  { name: 'dict-read', routes: [], states: { filled: at('pm', dictionaries, rows) } },
  {
    name: 'dict-new',
    routes: [],
    states: {
      filled: opened('dbd', dictionaries, writtenDictionary('qx 气虚证\nxy\t血瘀证\tBlood stasis')),
      error: opened('dbd', dictionaries, writtenDictionary('qx 气虚证\nqx 气虚\nxy')),
    },
  },
  { name: 'dict-entry', routes: [], states: { filled: opened('dbd', dictionaries, button(/^修改“气虚证”/)) } },
  {
    name: 'dict-remove',
    routes: [],
    states: { filled: opened('dbd', dictionaries, fromMenu('“气虚证”的更多操作', '删除“气虚证”')) },
  },
  { name: 'dict-usages', routes: [], states: { empty: opened('dbd', dictionaries, button('使用情况')) } },
  { name: 'dict-sheet', routes: [], states: { filled: opened('dbd', dictionaries, button('模板导入')) } },
  {
    name: 'template-preview',
    routes: ['/template/:id/preview'],
    states: {
      filled: at(
        'dbd',
        () => '/template/lib-TCM/preview',
        (page) => page.locator('[data-row]:visible').first(),
      ),
      error: failed('dbd', () => '/template/lib-VS/preview', /template\/lib-VS\/detail$/),
    },
  },
  {
    name: 'template-checked',
    routes: [],
    states: { error: opened('dbd', () => '/template/lib-DM/preview', button('检查本页'), alert) },
  },
  {
    name: 'notices',
    routes: [],
    states: {
      filled: opened('dbd', inProject('devices'), ({ page }) =>
        page.getByRole('banner').getByRole('button', { name: '条未读通知' }).click(),
      ),
    },
  },
  {
    name: 'notice-settings',
    routes: [],
    states: {
      filled: opened(
        'dbd',
        () => '/info/message',
        button('提醒设置'),
        (page) => page.getByText('始终提醒').first(),
      ),
    },
  },
  {
    name: 'rescue-dialog',
    routes: [],
    states: {
      filled: opened('dbd', inProject('devices'), button('导入离线备份文件')),
      error: opened('dbd', inProject('devices'), async (stage) => {
        await button('导入离线备份文件')(stage)
        await stage.page
          .locator('input[type=file]')
          .setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
        await stage.page.getByText('文件无法读取，请确认选对了文件。').waitFor()
      }),
    },
  },
]

const workScreens: readonly Screen[] = [
  {
    name: 'workspace-pinned',
    routes: [],
    states: {
      filled: {
        who: 'pm',
        show: async (stage) => {
          await stage.seat.say(/report\/pin\/list$/, ['queries', 'visits', 'risk', 'adverseEvents'])
          await stage.seat.load(workspace(stage))
        },
        sign: (page) => seen(page, 'main article dl').first(),
        after: ({ seat }) => seat.letThrough(),
      },
    },
  },
  {
    name: 'workspace',
    routes: ['/p/:id/v/:crfId/workspace'],
    states: {
      filled: at('keeper', workspace, (page) => seen(page, 'main table, main [role=grid]').first()),
      empty: at('starter', inEmptyVersion('workspace')),
      error: failed('cra', workspace, /patient\/list$/),
      offline: offline(workspace),
    },
  },
  {
    name: 'patients',
    routes: ['/p/:id/v/:crfId/patients'],
    states: {
      filled: at('cra', patients, (page) => seen(page, 'main a[href^="/eCRF/"]').first()),
      empty: at('starter', inEmptyVersion('patients')),
      error: failed('cra', patients, /patient\/list$/),
      offline: offline(patients),
    },
  },
  {
    name: 'queries',
    routes: ['/p/:id/v/:crfId/query'],
    states: {
      filled: at('cra', queries, (page) => seen(page, 'main [data-query]').first()),
      empty: at('starter', inEmptyVersion('query')),
      error: failed('cra', queries, /query\/list$/),
      offline: offline(queries),
    },
  },
  {
    name: 'queries-filters',
    routes: [],
    states: {
      filled: opened('cra', queries, button('筛选'), (page) => seen(page, 'main search [aria-expanded=true]')),
    },
  },
  {
    name: 'queries-picked',
    routes: [],
    states: {
      filled: opened(
        'cra',
        queries,
        async ({ page }) => {
          await page.locator('main [data-pick]').filter({ visible: true }).nth(1).click()
          await page.locator('main [data-pick]').filter({ visible: true }).nth(2).click()
        },
        (page) => seen(page, 'main [role=checkbox][aria-checked=true]').first(),
      ),
    },
  },
  { name: 'query-answer', routes: [], states: { filled: opened('keeper', queries, answering, answerBox) } },
  { name: 'queries-row', routes: [], states: { filled: opened('cra', queries, openRow, rowPanel) } },
  {
    name: 'queries-file',
    routes: [],
    states: {
      filled: opened(
        'cra',
        queries,
        async (stage) => {
          await button('批量导入质疑')(stage)
          const buffer = Buffer.from(QUESTIONS.join('\r\n'))
          await stage.page.locator('input[type=file]').setInputFiles({ name: '质疑.csv', mimeType: 'text/csv', buffer })
        },
        (page) =>
          dialog(page)
            .locator('tbody tr')
            .nth(QUESTIONS.length - 2),
      ),
    },
  },
  {
    name: 'query-assign',
    routes: [],
    states: {
      filled: opened(
        'cra',
        queries,
        async (stage) => {
          await openRow(stage)
          await stage.page.locator('aside').getByRole('button', { name: '指派', exact: true }).click()
        },
        (page) => page.locator('aside input[aria-haspopup], aside select').first(),
      ),
    },
  },
  {
    name: 'check',
    routes: ['/p/:id/v/:crfId/check'],
    states: {
      filled: at('cra', check(), line),
      // Of a visit that the study does not have.
      empty: at('cra', check('?visit=0190a000-0000-7000-8000-000000000000'), emptyState),
      error: failed('cra', check(), /review\/list$/),
      offline: {
        who: 'cra',
        show: async (stage) => {
          const { seat, page } = stage
          await seat.go(check()(stage))
          await line(page).or(retry(page)).first().waitFor()
          await seat.cut()
          // Whoever asks the server for something learns that it is away.
          const next = page.getByRole('button', { name: '开始核查' })
          if (await line(page).isVisible()) await next.click()
          await retry(page).waitFor()
          // What moved by then followed what was pressed. What counts is how the screen opens without a network.
          await takeShifts(page)
          await seat.go(check()(stage))
          await retry(page).waitFor()
        },
        sign: retry,
        cuts: true,
      },
    },
  },
  {
    name: 'report',
    routes: ['/p/:id/v/:crfId/report'],
    states: {
      filled: at('cra', reports(), rows),
      error: failed('cra', reports(), /report\/read$/),
    },
  },
  { name: 'report-risk', routes: [], states: { filled: at('cra', reports('?report=risk'), rows) } },
  { name: 'report-flow', routes: [], states: { filled: at('cra', reports('?report=flow'), rows) } },
  { name: 'report-events', routes: [], states: { filled: at('cra', reports('?report=adverseEvents'), rows) } },
  { name: 'report-deviations', routes: [], states: { filled: at('cra', reports('?report=deviations'), rows) } },
  { name: 'report-devices', routes: [], states: { filled: at('cra', reports('?report=devices'), rows) } },
  { name: 'report-queries', routes: [], states: { filled: at('cra', reports('?report=queries'), rows) } },
  {
    name: 'report-subjects',
    routes: [],
    states: {
      filled: at('cra', reports('?report=completeness&opened=begun~'), (page) => seen(page, 'main aside li').first()),
    },
  },
  {
    name: 'report-schedule',
    routes: [],
    states: {
      filled: {
        who: 'pm',
        show: async (stage) => {
          await stage.seat.say(/report\/schedule\/list$/, SCHEDULED)
          await stage.seat.load(reports('?report=risk')(stage))
          await button(/^(?:定时发送|Send by schedule)$/)(stage)
        },
        sign: (page) => dialog(page).locator('li').first(),
        after: ({ seat }) => seat.letThrough(),
      },
      empty: opened('cra', reports('?report=visits'), button(/^(?:定时发送|Send by schedule)$/)),
    },
  },
  {
    name: 'check-page',
    routes: [],
    states: {
      filled: opened('cra', tonguePage, verifiedPage, wholePage),
    },
  },
  {
    name: 'check-filters',
    routes: [],
    states: {
      filled: opened('cra', check('?state=all'), button('筛选'), (page) =>
        seen(page, 'main search [aria-expanded=true]'),
      ),
    },
  },
  {
    name: 'statistical',
    routes: ['/p/:id/v/:crfId/statistical'],
    states: {
      filled: at('dbd', statistics('?table=AP&analysis=compare&variables=attacks&group=subjects.sex'), result),
      empty: at('dbd', statistics(), (page) => page.getByText(/^(?:请选择变量|Choose variables)$/)),
      error: failed('dbd', statistics('?table=DM'), /statistics\/tables$/),
      offline: {
        // The network of who exports is gone for that screen already.
        who: 'admin',
        show: async (stage) => {
          const { seat, page } = stage
          await seat.go(statistics()(stage))
          await page.getByText(/^(?:请选择变量|Choose variables)$/).waitFor()
          await seat.cut()
          // Whoever asks the server for something learns that it is away.
          await seat.go(statistics('?table=AP&variables=attacks')(stage))
          await page.getByText(/^(?:读取数据需要连接服务器|Reading data needs the server)/).waitFor()
        },
        sign: (page) => page.getByText(/^(?:读取数据需要连接服务器|Reading data needs the server)/),
        cuts: true,
      },
    },
  },
  {
    name: 'statistical-description',
    routes: [],
    states: { filled: at('dbd', statistics('?table=AP&variables=attacks~ccs_now&group=center'), result) },
  },
  {
    name: 'statistical-relation',
    routes: [],
    states: { filled: at('dbd', statistics('?table=AP&analysis=relate&variables=attacks~pain'), figure) },
  },
  {
    name: 'statistical-change',
    routes: [],
    states: {
      filled: at('dbd', statistics('?table=AP&analysis=change&variables=attacks&group=subjects.sex'), result),
    },
  },
  {
    name: 'statistical-survival',
    routes: [],
    states: {
      filled: at('dbd', statistics('?table=DS&analysis=survival'), (page) => seen(page, 'main nav button').first()),
    },
  },
  {
    name: 'statistical-table-one',
    routes: [],
    states: {
      filled: at(
        'dbd',
        statistics('?table=AP&analysis=tableOne&variables=attacks~ccs_now~nitro&group=subjects.sex'),
        result,
      ),
    },
  },
  {
    name: 'export-sdtm',
    routes: [],
    states: {
      filled: opened(
        'dbd',
        exporting('?set=new'),
        async ({ page }) => {
          await page.getByRole('checkbox', { name: /^CDISC SDTM（Dataset-JSON）/ }).check()
          await page.getByRole('button', { name: '采用建议的映射', exact: true }).click()
        },
        (page) => seen(page, 'main section table').first(),
      ),
    },
  },
  {
    name: 'export',
    routes: ['/p/:id/v/:crfId/export'],
    states: {
      filled: at('dbd', exporting('?set=new'), (page) => page.getByRole('textbox', { name: /^(?:名称|Name)/ })),
      empty: at('dbd', exporting('?part=runs'), (page) => page.getByText(/^(?:还没有导出记录|No exports yet)/)),
      error: failed('dbd', exporting(), /dataset\/list$/),
      offline: {
        who: 'dbd',
        show: async (stage) => {
          const { seat, page } = stage
          await seat.go(exporting('?set=new')(stage))
          await page.getByRole('textbox', { name: /^(?:名称|Name)/ }).waitFor()
          await seat.cut()
          await page.getByText(/^(?:导出需要联网|Export needs a connection)/).waitFor()
        },
        sign: (page) => page.getByText(/^(?:导出需要联网|Export needs a connection)/),
        cuts: true,
      },
    },
  },
  { name: 'check-progress', routes: [], states: { filled: at('cra', check('?part=progress'), rows) } },
  {
    name: 'check-plan',
    routes: [],
    states: {
      filled: at('cra', check('?part=plan'), (page) => seen(page, 'main dl')),
      empty: at('dbd', check('?part=plan&track=dmr'), (page) =>
        page.getByRole('button', { name: /^(?:制定核查计划|Make a review plan)$/ }),
      ),
    },
  },
  {
    name: 'check-plan-editor',
    routes: [],
    states: {
      filled: opened('dbd', check('?part=plan&track=sdv'), editPlan, (page) => seen(page, 'main textarea')),
    },
  },
  {
    name: 'check-plan-switch',
    routes: [],
    states: {
      filled: opened('dbd', check('?part=plan&track=sdv'), async (stage) => {
        await editPlan(stage)
        await stage.page.getByRole('textbox', { name: /说明/ }).fill('监查计划 V2.0 第 5 章')
        await stage.page.getByRole('button', { name: '启用计划' }).click()
        await dialog(stage.page).locator('table').waitFor()
      }),
    },
  },
  {
    name: 'check-report',
    routes: [],
    states: { filled: at('cra', check('?part=report'), (page) => seen(page, 'main article')) },
  },
  { name: 'check-no-access', routes: [], states: { filled: at('keeper', check(), alert) } },
  {
    name: 'page-queries',
    routes: [],
    states: { filled: opened('cra', pageOf('vitals'), button('查看本页质疑'), dialogOrPanel) },
  },
  {
    name: 'raise-query',
    routes: [],
    states: {
      filled: opened(
        'cra',
        pageOf('vitals'),
        async ({ page }) => {
          await page.getByRole('button', { name: '查看本页质疑' }).click()
          await page.locator('[role=dialog], aside').getByRole('button', { name: '提出质疑' }).click()
        },
        (page) => seen(page, ':is([role=dialog], aside) textarea'),
      ),
    },
  },
  {
    name: 'patients-no-match',
    routes: [],
    states: {
      empty: opened(
        'cra',
        patients,
        ({ page }) => page.locator('main').getByRole('searchbox').first().fill('99-999'),
        emptyState,
      ),
    },
  },
  { name: 'patients-row', routes: [], states: { filled: opened('keeper', patients, openRow, rowPanel) } },
  { name: 'members-row', routes: [], states: { filled: opened('admin', inProject('admin/mem'), openRow, rowPanel) } },
  {
    name: 'patients-filters',
    routes: [],
    states: {
      filled: opened('keeper', patients, button('筛选'), (page) => seen(page, 'main search [aria-expanded=true]')),
      empty: at('keeper', (stage) => `${patients(stage)}?sex=F&from=2090-01-01&state=todo`, emptyState),
    },
  },
  {
    name: 'patients-filtered',
    routes: [],
    states: {
      filled: at(
        'keeper',
        (stage) => `${patients(stage)}?sex=F&from=2020-01-01&mine=true`,
        (page) => seen(page, 'main search ul'),
      ),
    },
  },
  {
    name: 'enrol',
    routes: [],
    states: {
      filled: opened('keeper', patients, button('入组')),
      error: opened('keeper', patients, async ({ page }) => {
        await page.locator('main').getByRole('button', { name: '入组' }).first().click()
        await page.getByRole('dialog').getByLabel('手机号').fill('12')
        await page.keyboard.press('Tab')
      }),
      offline: offline(patients, button('入组')),
    },
  },
  {
    name: 'patient-edit',
    routes: [],
    states: { filled: opened('keeper', casebook, button('编辑')), offline: offline(casebook, button('编辑')) },
  },
  { name: 'patient-remove', routes: [], states: { filled: opened('keeper', casebook, ofPatient('作废受试者记录')) } },
  {
    name: 'patient-assign',
    routes: [],
    states: {
      filled: opened('keeper', casebook, ofPatient('专家与负责人'), (page) =>
        page.getByRole('dialog').getByRole('checkbox'),
      ),
    },
  },
  {
    name: 'casebook',
    routes: ['/eCRF/:patientId'],
    states: {
      filled: at('keeper', casebook, (page) => seen(page, 'main a[href*="/page/"]').first()),
      error: failed('cra', casebook, /patient\/detail$/),
      offline: offline(casebook),
    },
  },
]

/** Opens the log of the page's pulse. */
const fieldTrail = ({ page }: Stage): Promise<void> => openHistory(page, '脉搏')

const ADDED = '（女儿）'

/** Changes what a page holds that was submitted before, and puts it back. */
async function changedContact({ page }: Stage): Promise<void> {
  const box = page.locator('[data-row=contact] input')
  const name = await box.inputValue()
  if (!name.endsWith(ADDED)) await box.fill(`${name}${ADDED}`)
  await page.keyboard.press('Tab')
  await reasonStrip(page).waitFor()
}
async function whyAsked({ page }: Stage): Promise<void> {
  await reasonStrip(page).click()
  await page.getByRole('dialog').getByRole('button', { name: '保存原因' }).click()
}
async function putBack({ page }: Stage): Promise<void> {
  const close = page.getByRole('dialog').getByRole('button', { name: /^(?:关闭|Close)$/ })
  if (await close.isVisible()) await close.click()
  const box = page.locator('[data-row=contact] input')
  await box.fill((await box.inputValue()).replace(ADDED, ''))
  await page.keyboard.press('Tab')
  await reasonStrip(page).waitFor({ state: 'detached' })
}
const reasonStrip = (page: Page): Locator => page.getByRole('button', { name: /^(?:说明原因|Give reasons)$/ })

const visitOrder = (page: Page): Locator =>
  page.getByRole('list', { name: /^(?:调整访视顺序|Change the order of visits)$/ })

const field = (page: Page): Locator => page.locator('[data-row]:visible').first()

const entryScreens: readonly Screen[] = [
  {
    name: 'patient-visits',
    routes: ['/eCRF/:patientId/visit'],
    states: {
      filled: at('keeper', patientVisits, (page) => seen(page, 'main article').first()),
      error: failed('cra', patientVisits, /patient\/detail$/),
      offline: offline(patientVisits),
    },
  },
  // What differs is looked at in `e2e/double.spec.ts`: the demo is entered once.
  {
    name: 'diff',
    routes: ['/eCRF/:patientId/diff'],
    states: {
      empty: at('dbd', passes, (page) => page.getByText('没有可以比对的内容')),
      error: failed('dbd', passes, /gap\/check$/),
    },
  },
  // What is in it is looked at there too.
  {
    name: 'agreement',
    routes: ['/p/:id/agreement'],
    states: {
      empty: at('dbd', inProject('agreement')),
      error: failed('dbd', inProject('agreement'), /double\/agreement$/),
    },
  },
  {
    name: 'database',
    routes: ['/p/:id/v/:crfId/database'],
    states: {
      filled: opened('dbd', database, choosePage, cells),
      empty: at('dbd', database, (page) => page.getByText(/^(?:选择一个表单页|Choose a page)$/)),
      error: failed('dbd', database, /dbview\/pages$/),
    },
  },
  {
    name: 'tableSearch',
    routes: ['/p/:id/v/:crfId/tableSearch'],
    states: {
      filled: at('dbd', tableSearch, line),
      error: failed('dbd', tableSearch, /dbview\/pages$/),
    },
  },
  {
    name: 'visit-order',
    routes: [],
    states: {
      filled: opened('keeper', patientVisits, button('调整访视顺序'), visitOrder),
      offline: { ...offline(patientVisits, button('调整访视顺序')), sign: visitOrder },
    },
  },
  {
    name: 'visit-dialog',
    routes: [],
    states: {
      filled: opened('keeper', patientVisits, button(/修改|登记访视/)),
      offline: offline(patientVisits, button(/修改|登记访视/)),
    },
  },
  {
    name: 'visits',
    routes: ['/p/:id/v/:crfId/visit'],
    states: {
      filled: at('keeper', projectVisits, (page) => seen(page, 'main a[href*="/visit"]').first()),
      empty: at('starter', inEmptyVersion('visit')),
      error: failed('cra', projectVisits, /visit\/list$/),
      offline: offline(projectVisits),
    },
  },
  {
    name: 'entry',
    routes: ['/eCRF/:patientId/page/:entryId'],
    states: {
      filled: at('keeper', pageOf('demography'), field),
      empty: at('keeper', freshVitals, field),
      error: opened(
        'keeper',
        freshVitals,
        ({ page }) => page.getByRole('button', { name: '提交', exact: true }).click(),
        (page) => seen(page, 'main [role=alert]').first(),
      ),
      offline: offline(pageOf('demography'), ({ page }) => field(page).waitFor()),
    },
  },
  { name: 'entry-conflict', routes: [], states: { filled: at('keeper', pageOf('vitals'), field) } },
  { name: 'log-row', routes: [], states: { filled: opened('dbd', trail, openRow, rowPanel) } },
  {
    name: 'log',
    routes: ['/eCRF/:patientId/log'],
    states: {
      filled: at('dbd', trail, line),
      empty: opened(
        'dbd',
        freshTrail,
        async (stage) => {
          await button('筛选')(stage)
          await stage.page.getByRole('checkbox', { name: '仅看未说明原因的' }).check()
        },
        emptyState,
      ),
      error: failed('dbd', trail, /audit\/list$/),
      offline: offline(trail),
    },
  },
  {
    name: 'field-log',
    routes: [],
    states: {
      filled: opened('keeper', pageOf('vitals'), fieldTrail, dialogOrPanel),
      offline: offline(pageOf('vitals'), fieldTrail),
    },
  },
  // Nothing is sent of it, and the value is put back.
  {
    name: 'reasons',
    routes: [],
    states: {
      filled: { ...offline(pageOf('demography'), changedContact), sign: reasonStrip, after: putBack },
      error: {
        ...offline(pageOf('demography'), async (stage) => {
          await changedContact(stage)
          await whyAsked(stage)
        }),
        sign: dialog,
        after: putBack,
      },
    },
  },
  {
    name: 'entry-read-only',
    routes: [],
    states: {
      filled: at('cra', pageOf('demography'), field),
      error: failed('cra', pageOf('demography'), /page\/content$|patient\/data\/list$/),
    },
  },
  {
    name: 'entry-files',
    routes: [],
    states: { filled: at('keeper', tonguePage, (page) => page.locator('[data-row=tongue_photo] fieldset li').first()) },
  },
  {
    name: 'files',
    routes: ['/eCRF/:patientId/attach'],
    states: {
      filled: at('keeper', files, (page) => seen(page, 'main a[href*="/canvas/attach/"]').first()),
      empty: at('keeper', noFiles, (page) => page.getByText(/^(?:还没有附件|No attachments yet)$/)),
      offline: offline(files),
    },
  },
  {
    name: 'files-project',
    routes: [],
    states: {
      filled: opened(
        'keeper',
        files,
        ({ page }) => page.getByText('项目图像').click(),
        (page) => seen(page, 'main a[href*="/canvas/attach/"]').first(),
      ),
    },
  },
  {
    name: 'file',
    routes: ['/eCRF/:patientId/attach/:attachId'],
    states: {
      filled: at('keeper', oneFile('attach'), (page) => seen(page, 'main img')),
      offline: offline(oneFile('attach')),
    },
  },
  {
    name: 'file-beside',
    routes: ['/eCRF/:patientId/canvas/attach/:attachId'],
    states: {
      filled: at('keeper', oneFile('canvas/attach'), (page) => seen(page, 'main img')),
      offline: offline(oneFile('canvas/attach')),
    },
  },
  {
    name: 'file-region',
    routes: [],
    states: {
      filled: opened('keeper', oneFile('canvas/attach'), button('标注区域'), (page) =>
        seen(page, 'main form[aria-label]'),
      ),
    },
  },
  {
    name: 'entry-source',
    routes: [],
    states: {
      filled: opened(
        'cra',
        ({ places }) => `/eCRF/${places.patientId}/page/${places.tongue}?p=${places.projectId}&field=tongue_colour`,
        button(/^源文件照片/),
        (page) => seen(page, ':is([role=dialog], aside) img'),
      ),
    },
  },
  {
    name: 'messages',
    routes: ['/eCRF/:patientId/message'],
    states: {
      filled: at('keeper', messages, (page) => seen(page, 'main article').first()),
      empty: at('keeper', noMessages, (page) => page.getByText(/^(?:还没有发送过消息|No messages sent yet)$/)),
      error: failed('cra', messages, /patient\/[^/]+\/notice$/),
      offline: offline(messages),
    },
  },
  { name: 'message-send', routes: [], states: { filled: opened('keeper', messages, button('发送消息')) } },
  {
    name: 'entry-missing',
    routes: [],
    states: {
      filled: opened('keeper', freshVitals, ({ page }) =>
        page.locator('[data-action=missing]:visible').first().click(),
      ),
    },
  },
  {
    name: 'entry-calendar',
    routes: [],
    states: {
      filled: opened('keeper', freshVitals, ({ page }) =>
        page.locator('[data-action=calendar]:visible').first().click(),
      ),
    },
  },
  {
    name: 'entry-pages',
    routes: [],
    below: 1100,
    states: {
      filled: opened('keeper', freshVitals, ({ page }) =>
        page.getByRole('button', { name: '打开访视与页面目录' }).click(),
      ),
    },
  },
]

const longScreens: readonly Screen[] = [
  { name: 'long-projects', routes: [], isLong: true, states: { filled: at('long', () => '/projects') } },
  { name: 'long-home', routes: [], isLong: true, states: { filled: at('long', () => '/wel/index') } },
  {
    name: 'long-patients',
    routes: [],
    isLong: true,
    states: { filled: at('long', inLong('patients'), (page) => seen(page, 'main a[href^="/eCRF/"]').first()) },
  },
  { name: 'long-workspace', routes: [], isLong: true, states: { filled: at('long', inLong('workspace')) } },
  {
    name: 'long-casebook',
    routes: [],
    isLong: true,
    states: {
      filled: at(
        'long',
        ({ places }) => `/eCRF/${places.long?.patientId ?? ''}?p=${places.long?.projectId ?? ''}`,
        (page) => seen(page, 'main a[href*="/page/"]').first(),
      ),
    },
  },
  {
    name: 'long-choice',
    routes: [],
    isLong: true,
    states: {
      filled: opened(
        'long',
        ({ places }) =>
          `/eCRF/${places.long?.patientId ?? ''}/page/${places.long?.entries[0] ?? ''}?p=${places.long?.projectId ?? ''}`,
        ({ page }) => page.locator('[data-action=choose]:visible').first().click(),
      ),
    },
  },
  {
    name: 'long-user-menu',
    routes: [],
    isLong: true,
    states: { filled: opened('long', inLong('patients'), userMenu) },
  },
  {
    name: 'long-members',
    routes: [],
    isLong: true,
    states: { filled: at('admin', ({ places }) => `/p/${places.long?.projectId ?? ''}/admin/mem`, line) },
  },
  {
    name: 'long-centers',
    routes: [],
    isLong: true,
    states: { filled: at('admin', ({ places }) => `/p/${places.long?.projectId ?? ''}/admin/site`, rows) },
  },
]

/** Pages of the longest study are as many as the samples give. */
export function longEntries(count: number): readonly Screen[] {
  return Array.from({ length: count }, (_, index): Screen => ({
    name: `long-entry-${index + 1}`,
    routes: [],
    isLong: true,
    states: {
      filled: at(
        'long',
        ({ places }) =>
          `/eCRF/${places.long?.patientId ?? ''}/page/${places.long?.entries[index] ?? ''}?p=${places.long?.projectId ?? ''}`,
        field,
      ),
    },
  }))
}

export const screens: readonly Screen[] = [
  ...publicScreens,
  ...mainScreens,
  ...barScreens,
  ...adminScreens,
  ...workScreens,
  ...entryScreens,
  ...longScreens,
]
