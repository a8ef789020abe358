import * as z from 'zod/mini'
import { projectRoles } from '#core/access/permissions.ts'
import { wrongMobile } from '#core/study/mobile.ts'
import { projectStatuses } from '#core/study/projectStatus.ts'
import { centerRow, projectRow } from '#core/api/sync/rows.ts'
import { ENROL_FIELDS } from '#core/study/enrolment.ts'
import { DEFAULT_TEMPLATE, LONGEST_TEMPLATE } from '#core/study/patientNumber.ts'
import { defineCall } from '#core/api/call.ts'
import { day, filledText, id, instant, json, paging, text, typedCode } from '#core/wire/shapes.ts'

/** Projects, centers, members, hospitals (specification §7 Project). */

const PROJECT = 'server/areas/project'
const MEMBER = 'server/areas/member'

/** A template of subject numbers; what is wrong with it is told as an error of its field. */
const numberTemplate = filledText(LONGEST_TEMPLATE)

/** Most testers that a project can ask for before a release. */
export const MOST_TESTERS = 20

const settings = z.object({
  isDouble: z.union([z.literal(0), z.literal(1)]),
  isFilterPeriod: z.enum(['Y', 'N']),
  minTesters: z.int().check(z.minimum(0), z.maximum(MOST_TESTERS)),
})

/** What people are asked for. */
const asked = {
  /** Whether a value is confirmed against a warning with a reason; it is where nothing is said. */
  warningReason: z.exactOptional(z.enum(['Y', 'N'])),
  /** What must be said of a patient before a number is spent (core/study/enrolment.ts). */
  enrolFields: z.exactOptional(z.array(z.enum(ENROL_FIELDS))),
}

const config = z.object({
  ...settings.def.shape,
  /** How subjects are numbered (core/study/patientNumber.ts). */
  numberTemplate: z._default(numberTemplate, DEFAULT_TEMPLATE),
  ...asked,
})
export type ProjectConfig = z.infer<typeof config>

/** Subjects that a center plans to enrol. */
const planned = z.int().check(z.minimum(0), z.maximum(1_000_000))

/** Most projects that `project.aboutme` counts for. */
export const ABOUT_ME_PROJECTS = 50

const projectWork = z.object({
  projectId: id,
  role: z.enum(projectRoles),
  /** Pages with an empty required field. */
  missing: z.int(),
  /** Pages that are saved and not submitted, those with an empty required field left out. */
  process: z.int(),
  /** Conflicts that wait for a decision. */
  conflicts: z.int(),
  /** Queries that wait for the user. */
  queries: z.int(),
})
export type ProjectWork = z.infer<typeof projectWork>

const byProject = z.object({ projectId: id })

/**
 * A right or a function (specification §3 auth resource). Of category 1: an entry of a menu; project, mem and center
 * lead to the administration and are no functions. Of category 2: a right.
 */
const authResource = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  remark: z.nullable(z.string()),
  /** 0: always used. 1: may be switched off. 2: the same, advanced. -1: in no menu. */
  level: z.int(),
  parentId: z.nullable(z.string()),
  category: z.int(),
  /** Of a function: the project does not use it. */
  isDisabled: z.boolean(),
})
export type AuthResource = z.infer<typeof authResource>

const projectInput = {
  projectName: filledText(200),
  projectIcon: z.optional(z.nullable(text(20_000))),
  projectScopeCode: z.optional(z.enum(['areamultiple', 'areasingle'])),
}

export const projectCalls = [
  defineCall({
    id: 'project.save',
    area: 'project',
    method: 'POST',
    path: '/edc/project/save',
    summary: 'Creates a project in status start.',
    auth: 'admin',
    body: z.object({ ...projectInput, minTesters: z.optional(settings.def.shape.minTesters) }),
    data: projectRow,
    errors: ['invalid', 'forbidden'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.update',
    area: 'project',
    method: 'POST',
    path: '/edc/project/update',
    summary: 'Changes what a project is called and how it looks.',
    body: z.object({ id, ...projectInput }),
    data: projectRow,
    permission: 'project_edit',
    errors: ['invalid', 'forbidden', 'not_found', 'project_closed'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.remove',
    area: 'project',
    method: 'POST',
    path: '/edc/project/remove',
    summary: 'Removes projects that hold no patient. Body code 0 on success (specification §8).',
    query: z.object({ projectIds: text(4000) }),
    data: z.boolean(),
    permission: 'project_del',
    errors: ['transition_refused', 'forbidden', 'not_found'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.detail',
    area: 'project',
    method: 'GET',
    path: '/edc/project/detail',
    summary: 'One project, with the own role and codes.',
    query: byProject,
    data: projectRow,
    offline: 'cache',
    errors: ['not_found', 'project_not_started'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.list',
    area: 'project',
    method: 'GET',
    path: '/edc/project/list',
    summary: 'Projects that the user can see.',
    query: z.object({ ...paging, projectName: z.optional(text(200)) }),
    data: projectRow,
    answer: 'page',
    offline: 'cache',
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.confDetail',
    area: 'project',
    method: 'GET',
    path: '/edc/project/conf/detail',
    summary: 'Settings of a project.',
    query: byProject,
    data: config,
    errors: ['not_found'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.confUpdate',
    area: 'project',
    method: 'POST',
    path: '/edc/project/conf/update',
    summary: 'Changes settings of a project. Those that are left out stay as they are.',
    body: z.object({
      projectId: id,
      ...z.partial(settings).def.shape,
      ...asked,
      numberTemplate: z.optional(numberTemplate),
    }),
    data: config,
    permission: 'project_edit',
    errors: ['invalid', 'forbidden', 'not_found', 'project_closed'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.aboutme',
    area: 'project',
    method: 'GET',
    path: '/edc/project/aboutme',
    summary: 'What concerns the user: of each project they can enter, newest first, their role and how much waits.',
    data: z.object({ projects: z.array(projectWork) }),
    servedBy: 'server/areas/work',
  }),
  defineCall({
    id: 'project.changeStatus',
    area: 'project',
    method: 'POST',
    path: '/edc/project/changeStatus',
    summary: 'Changes the status of a project.',
    query: z.object({ projectId: id, status: z.enum(projectStatuses) }),
    data: projectRow,
    permission: 'project_toggle_status',
    errors: ['transition_refused', 'forbidden', 'not_found'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.authList',
    area: 'project',
    method: 'GET',
    path: '/edc/project/auth/list',
    summary: "The user's codes in the project, and the functions that it uses and the user may enter.",
    query: byProject,
    data: authResource,
    answer: 'tree',
    offline: 'cache',
    errors: ['not_found'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.resourceList',
    area: 'project',
    method: 'GET',
    path: '/edc/project/auth/resource/list',
    summary: 'Functions a project can use; `isDisabled` where it does not.',
    query: byProject,
    data: authResource,
    answer: 'tree',
    permission: 'project_enable_resources',
    errors: ['forbidden', 'not_found'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.resourceConfig',
    area: 'project',
    method: 'POST',
    path: '/edc/project/auth/resource/config',
    summary: 'Chooses the functions a project uses: those named and no others. Mandatory ones must be among them.',
    body: z.object({ projectId: id, resourceIds: z.array(text(60)).check(z.maxLength(200)) }),
    data: z.boolean(),
    permission: 'project_enable_resources',
    errors: ['invalid', 'forbidden', 'not_found', 'project_closed'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'project.recruitment',
    area: 'project',
    method: 'GET',
    path: '/edc/project/recruitment/info',
    summary: 'Recruitment information, open to all.',
    auth: 'none',
    query: byProject,
    data: json,
  }),
  defineCall({
    id: 'project.join',
    area: 'project',
    method: 'POST',
    path: '/edc/project/join',
    summary: 'Asks to join a project.',
    body: z.object({ projectId: id, remark: z.optional(text(1000)) }),
    data: z.boolean(),
  }),

  defineCall({
    id: 'center.list',
    area: 'center',
    method: 'GET',
    path: '/edc/project/center/list',
    summary: 'Centers of a project that the user can see.',
    query: z.object({ projectId: id, ...paging }),
    data: centerRow,
    answer: 'page',
    offline: 'cache',
    errors: ['not_found'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'center.save',
    area: 'center',
    method: 'POST',
    path: '/edc/project/center/save',
    summary: 'Adds a center. `centerCode` stands in subject numbers.',
    body: z.object({
      projectId: id,
      centerName: filledText(200),
      centerCode: typedCode,
      planEnrolls: z.optional(planned),
      numberTemplate: z.optional(z.nullable(numberTemplate)),
    }),
    data: centerRow,
    permission: 'mem',
    errors: ['invalid', 'already_exists', 'forbidden', 'not_found', 'project_closed'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'center.update',
    area: 'center',
    method: 'POST',
    path: '/edc/project/center/update',
    summary: 'Changes a center. A disabled one takes no new subject and keeps its data.',
    body: z.object({
      id,
      projectId: id,
      centerName: filledText(200),
      status: z.enum(['active', 'disabled']),
      planEnrolls: z.optional(planned),
      numberTemplate: z.optional(z.nullable(numberTemplate)),
    }),
    data: centerRow,
    permission: 'mem',
    errors: ['invalid', 'forbidden', 'not_found', 'project_closed'],
    servedBy: PROJECT,
  }),
  defineCall({
    id: 'center.numberPreview',
    area: 'center',
    method: 'GET',
    path: '/edc/project/center/number/preview',
    summary:
      'What a template would make of the subject numbers to come, of a center or of all that number as the project does: why it would be refused, or the next number of each. Without a template: as the project does. Nothing is written.',
    query: z.object({ projectId: id, centerId: z.optional(id), template: z.optional(text(200)) }),
    data: z.object({
      problem: z.nullable(text(40)),
      numbers: z.array(z.object({ centerId: id, centerName: z.string(), no: z.string() })),
    }),
    errors: ['not_found', 'forbidden'],
    servedBy: PROJECT,
  }),
]

/** `expert`: sees the patients that are assigned to them and no others. */
export const memberTypes = ['center', 'project', 'expert'] as const

export const memberDetail = z.object({
  id,
  projectId: id,
  userId: id,
  account: z.string(),
  realName: z.string(),
  phone: z.nullable(z.string()),
  userRole: z.enum(projectRoles),
  userRoleName: z.string(),
  type: z.enum(memberTypes),
  dataScope: z.enum(['all', 'center', 'self']),
  centerIds: z.array(id),
  /** Entry pass of the member in double entry. */
  entryPass: z.union([z.literal(1), z.literal(2)]),
  crfApprove: z.union([z.literal(0), z.literal(1)]),
  status: z.enum(['active', 'pause']),
  lastLoginTime: z.nullable(instant),
  startDt: z.nullable(day),
  endDt: z.nullable(day),
  remark: z.nullable(z.string()),
})
export type MemberDetail = z.infer<typeof memberDetail>

const memberInput = {
  userRole: z.enum(projectRoles),
  type: z.enum(memberTypes),
  dataScope: z.enum(['all', 'center', 'self']),
  centerIds: z.array(id),
  entryPass: z._default(z.union([z.literal(1), z.literal(2)]), 1),
  crfApprove: z._default(z.union([z.literal(0), z.literal(1)]), 0),
  status: z.enum(['active', 'pause']),
  startDt: z.optional(z.nullable(day)),
  endDt: z.optional(z.nullable(day)),
  remark: z.optional(z.nullable(text(1000))),
}

export const memberCalls = [
  defineCall({
    id: 'member.list',
    area: 'member',
    method: 'GET',
    path: '/edc/project/mem/list',
    summary: 'Members of a project.',
    query: z.object({ projectId: id, ...paging }),
    data: memberDetail,
    answer: 'page',
    offline: 'cache',
    errors: ['not_found'],
    servedBy: MEMBER,
  }),
  defineCall({
    id: 'member.save',
    area: 'member',
    method: 'POST',
    path: '/edc/project/mem/save',
    summary: 'Adds a member.',
    body: z.object({ projectId: id, userId: id, ...memberInput }),
    data: memberDetail,
    permission: 'mem',
    errors: ['invalid', 'already_exists', 'forbidden', 'not_found', 'project_closed'],
    servedBy: MEMBER,
  }),
  defineCall({
    id: 'member.update',
    area: 'member',
    method: 'POST',
    path: '/edc/project/mem/update',
    summary: 'Changes a member.',
    body: z.object({ id, projectId: id, ...memberInput }),
    data: memberDetail,
    permission: 'mem',
    errors: ['invalid', 'forbidden', 'not_found', 'project_closed'],
    servedBy: MEMBER,
  }),
  defineCall({
    id: 'member.remove',
    area: 'member',
    method: 'POST',
    path: '/edc/project/mem/remove',
    summary: 'Withdraws members; what they did stays theirs.',
    query: z.object({ ids: text(4000) }),
    data: z.boolean(),
    permission: 'mem',
    errors: ['forbidden', 'not_found', 'project_closed'],
    servedBy: MEMBER,
  }),
  defineCall({
    id: 'member.deptUsers',
    area: 'member',
    method: 'GET',
    path: '/edc/project/mem/dept/user/list',
    summary: 'Departments, each with its users, to choose a member from.',
    data: z.object({
      id: z.string(),
      deptName: z.string(),
      userList: z.array(z.object({ id, account: z.string(), realName: z.string(), phone: z.nullable(z.string()) })),
    }),
    answer: 'tree',
    servedBy: MEMBER,
  }),
  defineCall({
    id: 'user.save',
    area: 'user',
    method: 'POST',
    path: '/edc/user/save',
    summary: 'Creates an account; the first password must be changed at the first sign-in.',
    auth: 'admin',
    body: z.object({
      account: typedAccount(),
      realName: filledText(100),
      phone: z.optional(z.nullable(typedMobile())),
      email: z.optional(z.nullable(text(200))),
      password: filledText(400),
    }),
    data: z.object({ id }),
    errors: ['invalid', 'already_exists', 'forbidden'],
    servedBy: MEMBER,
  }),
]

function typedAccount() {
  return z.string().check(z.regex(/^[A-Za-z0-9._-]{2,60}$/))
}

/** A mobile number of mainland China, or nothing: texts are sent to it. */
function typedMobile() {
  return z.string().check(z.refine((text) => wrongMobile(text) === null))
}

const hospital = z.object({
  id,
  hospitalName: z.string(),
  hospitalCode: z.nullable(z.string()),
  contact: z.nullable(z.string()),
  remark: z.nullable(z.string()),
})
const hospitalInput = {
  projectId: id,
  hospitalName: filledText(200),
  hospitalCode: z.optional(text(60)),
  contact: z.optional(text(200)),
  remark: z.optional(text(1000)),
}
export const projectListCalls = [
  defineCall({
    id: 'hospital.list',
    area: 'hospital',
    method: 'GET',
    path: '/edc/project/hospital/list',
    summary: 'Hospitals of a project.',
    query: z.object({ projectId: id, ...paging }),
    data: hospital,
    answer: 'page',
  }),
  defineCall({
    id: 'hospital.save',
    area: 'hospital',
    method: 'POST',
    path: '/edc/project/hospital/save',
    summary: 'Adds a hospital.',
    body: z.object(hospitalInput),
    data: hospital,
    permission: 'project_edit',
  }),
  defineCall({
    id: 'hospital.update',
    area: 'hospital',
    method: 'POST',
    path: '/edc/project/hospital/update',
    summary: 'Changes a hospital.',
    body: z.object({ id, ...hospitalInput }),
    data: hospital,
    permission: 'project_edit',
  }),
  defineCall({
    id: 'hospital.remove',
    area: 'hospital',
    method: 'POST',
    path: '/edc/project/hospital/remove',
    summary: 'Removes hospitals.',
    query: z.object({ ids: text(4000) }),
    data: z.boolean(),
    permission: 'project_edit',
  }),
]
