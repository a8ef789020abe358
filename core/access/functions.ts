import type { Language } from '../language.ts'
import type { PermissionCode } from './permissions.ts'

/**
 * The functions that a project can use (specification §3 auth resource, §6): entries of its menu, each with a screen of
 * its own. A project chooses which of them it uses; what of these a user may enter is a matter of their codes.
 */

/** 0: always used. 1: may be switched off. 2: the same, and marked as advanced. -1: used, and in no menu. */
export type FunctionLevel = 0 | 1 | 2 | -1

export interface ProjectFunction {
  readonly code: string
  readonly name: Readonly<Record<Language, string>>
  readonly remark: Readonly<Record<Language, string>>
  readonly level: FunctionLevel
  /** Any of these opens it; null where every member may. */
  readonly opens: readonly PermissionCode[] | null
  /** Whether those who test the project's versions may enter, whatever their codes. */
  readonly testers?: true
}

/** In the order of the menu. */
export const projectFunctions = [
  {
    code: 'workspace',
    name: { zh: '我的工作', en: 'My work' },
    remark: {
      zh: '未提交、必填未填和待处理的内容，以及访视矩阵',
      en: 'Pages not submitted, required fields empty, what needs attention, and the visit matrix',
    },
    level: 0,
    opens: null,
  },
  {
    code: 'patients',
    name: { zh: '受试者', en: 'Subjects' },
    remark: { zh: '受试者列表、入组和录入', en: 'List of subjects, enrolment and data entry' },
    level: 0,
    opens: null,
  },
  {
    code: 'visit',
    name: { zh: '访视', en: 'Visits' },
    remark: { zh: '全部受试者的访视：逾期、待访和未到期', en: 'Visits of all subjects: overdue, due and not due yet' },
    level: 1,
    opens: null,
  },
  {
    code: 'query',
    name: { zh: '质疑', en: 'Queries' },
    remark: {
      zh: '监查员和数据管理员对数据的质疑，以及研究中心的答复',
      en: 'What monitors and data managers ask about the data, and the answers of the sites',
    },
    // What is asked there waits for somebody: no project can put it out of sight.
    level: 0,
    opens: ['query_add', 'query_answer', 'query_close', 'data_review'],
  },
  {
    code: 'check',
    name: { zh: '核查', en: 'Review' },
    remark: {
      zh: '源数据核查与数据审核：待核查的表单页、进度、核查计划和监查访视报告',
      en: 'Source data verification and data review: pages to check, progress, the plan, and monitoring visit reports',
    },
    level: 1,
    // Who manages the project makes plans and sees how far they are.
    opens: ['sdv_verify', 'data_review', 'project_edit'],
  },
  {
    code: 'database',
    name: { zh: '数据库', en: 'Database' },
    remark: {
      zh: '按表单页查看全部受试者的数据，可筛选、排序和导出',
      en: 'The data of all subjects page by page, with filters, sorting and export',
    },
    level: 1,
    opens: ['database_view'],
  },
  {
    code: 'tableSearch',
    name: { zh: '表格检索', en: 'Table search' },
    remark: {
      zh: '按各访视的数据组合条件查找受试者',
      en: 'Subjects by conditions over the data of their visits',
    },
    level: 1,
    opens: ['search_view'],
  },
  {
    code: 'report',
    name: { zh: '报表', en: 'Reports' },
    remark: {
      zh: '入组、访视、完整性、质疑、核查、及时性和中心风险的统计',
      en: 'Figures on enrolment, visits, completeness, queries, verification, timeliness and center risk',
    },
    level: 1,
    opens: ['report_view'],
  },
  {
    code: 'statistical',
    name: { zh: '统计分析', en: 'Statistics' },
    remark: {
      zh: '对脱敏数据作描述、比较、关联、随访变化和生存分析，生成基线特征表',
      en: 'De-identified data described and compared, relations, changes over visits, survival, and table one',
    },
    level: 1,
    opens: ['export'],
  },
  {
    code: 'export',
    name: { zh: '数据导出', en: 'Export' },
    remark: {
      zh: '数据集的定义、预览和导出，脱敏、审批与导出记录',
      en: 'Data sets: definition, preview and export, de-identification, approval and the history of exports',
    },
    level: 1,
    opens: ['export'],
  },
  {
    code: 'design',
    name: { zh: '表单设计', en: 'Form design' },
    remark: { zh: '访视、表单页和字段的设计', en: 'Design of visits, pages and fields' },
    level: 1,
    opens: ['design_edit'],
  },
  {
    code: 'controller',
    name: { zh: '规则', en: 'Rules' },
    remark: {
      zh: '显示、必填、只读、计算与核查规则，以及试算',
      en: 'Rules for display, required, read-only, calculation and checks, with testing',
    },
    level: 1,
    opens: ['rule_edit', 'design_edit'],
  },
  {
    code: 'trial',
    name: { zh: '试填', en: 'Test entry' },
    remark: {
      zh: '测试人员试填测试版表单，内容不计入研究',
      en: 'Testers try out a test version; the data is not part of the study',
    },
    level: 1,
    opens: ['design_edit'],
    testers: true,
  },
  {
    code: 'inbox',
    name: { zh: '收件箱', en: 'Inbox' },
    remark: { zh: '需要决定是否入库的修改', en: 'Changes to be accepted or rejected' },
    // What waits there was entered by somebody: no project can put it out of sight.
    level: 0,
    opens: ['data_review'],
  },
  {
    code: 'dict',
    name: { zh: '项目字典', en: 'Project dictionaries' },
    remark: { zh: '表单字段共用的选项列表', en: 'Lists of choices shared by form fields' },
    level: 1,
    opens: ['dict_edit', 'design_edit', 'project_crf_new'],
  },
  {
    code: 'devices',
    name: { zh: '设备', en: 'Devices' },
    remark: {
      zh: '项目所用的设备：未同步的内容、停用和离线备份文件',
      en: 'Devices of the project: unsent data, blocking and offline backup files',
    },
    level: 2,
    opens: ['device_manage'],
  },
] as const satisfies readonly ProjectFunction[]

/** The code of a function that this app has a screen for. */
export type FunctionCode = (typeof projectFunctions)[number]['code']

/** What a project has decided: whether it uses a function, by code. About the others it has not decided. */
export type FunctionChoices = Readonly<Record<string, boolean>>

/** Whether a project uses a function. One that it has not decided about is used. */
export function isUsed({ code, level }: Pick<ProjectFunction, 'code' | 'level'>, choices: FunctionChoices): boolean {
  return isMandatory({ level }) || choices[code] !== false
}

/** Whether a project cannot do without it. */
export function isMandatory({ level }: { readonly level: number }): boolean {
  return level <= 0
}

/**
 * Codes of the functions that the project uses and that somebody with these codes may enter, in the order of the menu.
 *
 * @param tests whether they test the project's versions
 */
export function functionsFor(
  permissions: ReadonlySet<PermissionCode>,
  choices: FunctionChoices,
  tests = false,
): FunctionCode[] {
  const all: readonly (ProjectFunction & { readonly code: FunctionCode })[] = projectFunctions
  return all
    .filter(
      (one) =>
        isUsed(one, choices) &&
        (one.opens === null || one.opens.some((code) => permissions.has(code)) || (tests && one.testers === true)),
    )
    .map(({ code }) => code)
}
